import type { components } from '@constancia/sdk/generated/platform';
import { State } from '@constancia/web';
import { useIdentityText } from '../text/language.ts';

export type SubjectRow = components['schemas']['Subject'];

export const SUBJECTS = ['subjects'];

const KINDS = {
  pending: 'wait',
  in_progress: 'wait',
  manual_review: 'wait',
  approved: 'good',
  rejected: 'bad',
} as const;

export function SubjectStatus({ of: { kyc_status: status } }: { of: SubjectRow }) {
  const { words } = useIdentityText();
  return <State kind={KINDS[status]}>{words.subject.statuses[status]}</State>;
}

/** What a subject is called where there is a name. */
export function useSubjectName(): (of: SubjectRow) => string {
  const { words } = useIdentityText();
  return ({ full_name, erased_at }) =>
    full_name ?? (erased_at === null ? words.subject.unnamed : words.subject.erasedName);
}

export const documentOf = ({ document_type, document_number_masked: number }: SubjectRow): string =>
  [document_type, number].filter(Boolean).join(' ');
