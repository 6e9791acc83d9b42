import type { components } from '@constancia/sdk/generated/signing';
import { useRecord } from '../member/queries.ts';
import { useSigningText } from './text/language.ts';

type Evidence = components['schemas']['EvidenceView'];

/** For how long a sealed document can be verified, as rows of its facts; none before it is sealed. */
export function useEvidenceFacts(kind: 'signatures' | 'envelopes', id: string, sealed: boolean): [string, string][] {
  const { words, clock } = useSigningText();
  const { data } = useRecord<Evidence>(
    ['evidence', id],
    ({ signing }) =>
      kind === 'signatures'
        ? signing.GET('/v1/signatures/{id}/evidence', { params: { path: { id } } })
        : signing.GET('/v1/envelopes/{id}/evidence', { params: { path: { id } } }),
    undefined,
    sealed,
  );
  if (data === undefined) return [];
  const level: [string, string] = [words.evidence.level, words.evidence.levels[data.level]];
  if (data.next_at === null) return [level];
  const next = data.revisions.length === 0 ? words.evidence.first : words.evidence.renewal;
  return [level, [next, clock(data.next_at)]];
}
