import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { TenantSettings } from '../settings/compliance-settings.entity.ts';
import type { Resolution } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/** Facts that tell a subject from a listed person of the same name. */
export const DISCRIMINATING_DATA = [
  'birth_date',
  'birth_place',
  'document_number',
  'nationality',
  'gender',
  'full_name',
  'address',
  'occupation',
  'photograph',
] as const;

/** The same facts in the words of a reason, in Spanish and English. */
const NAMED_IN_REASON =
  /nacimiento|nacid[oa]|birth|born|edad|\bage\b|documento|document|c[eé]dula|pasaporte|passport|\bnit\b|nacionalidad|nationality|g[eé]nero|\bsexo\b|gender|\bsex\b|apellido|surname|nombre|\bname\b|direcci[oó]n|address|domicilio|profesi[oó]n|occupation|fotograf[ií]a|photo/i;

const onUnitedNationsList = (found: Pick<ReviewCase, 'list_hits'>): boolean => found.list_hits.includes('ONU');

/** Whether a resolution waits for a second person: the tenant's setting decides. */
export function needsSecondPerson(setting: TenantSettings['four_eyes'], found: Pick<ReviewCase, 'list_hits'>): boolean {
  return setting === 'all' || (setting === 'onu' && onUnitedNationsList(found));
}

/**
 * The list of the United Nations binds: nobody who is on it is let in with a stroke of the pen. Anyone who clears such a case says
 * which data tell the subject from the listed person. Throws ValidationError.
 */
export function requireDiscriminatingData(resolution: Resolution, found: Pick<ReviewCase, 'list_hits'>): void {
  const clears = resolution.decision === 'approve' || resolution.decision === 'false_positive';
  if (!clears || !onUnitedNationsList(found)) return;
  if (resolution.discriminating_data.length > 0 || NAMED_IN_REASON.test(resolution.reason)) return;
  const error: FieldError = {
    pointer: '/reason',
    code: 'discriminating_data_missing',
    detail:
      'The case has a hit on the list of the United Nations: name the data that tell the subject from the listed person ' +
      '(for example the birth date), in reason or in discriminating_data.',
  };
  throw new ValidationError([error]);
}
