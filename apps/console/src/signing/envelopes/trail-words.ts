import type { SPANISH } from '../text/spanish-envelopes.ts';
import type { EnvelopeSigner, TrailEvent } from './use-envelope.ts';

type TrailWords = Pick<(typeof SPANISH)['trail'], 'events' | 'mails'>;

/** What an event says. Of a mail it depends on which mail it was. */
export function sentenceOf({ type, data }: Pick<TrailEvent, 'type' | 'data'>, words: TrailWords): string {
  const { mail } = data;
  const ofMail = type === 'signer.notified' && typeof mail === 'string' ? words.mails[mail] : undefined;
  return ofMail ?? words.events[type];
}

/** Whom an event is about: the role, and the name where one is known. */
export function whoOf(
  { role, signer_id }: Pick<TrailEvent, 'role' | 'signer_id'>,
  signers: readonly Pick<EnvelopeSigner, 'id' | 'name'>[],
  titleOf: (role: string) => string,
): string | null {
  const name = signers.find(({ id }) => id === signer_id)?.name ?? null;
  if (role === null) return name;
  return name === null ? titleOf(role) : `${name} (${titleOf(role)})`;
}
