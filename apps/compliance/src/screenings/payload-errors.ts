import { pointerTo } from '@constancia/http';
import type { FieldError } from '@constancia/problem-json';
import { PARTY_MEMBERS, PARTY_ROLES } from '@constancia/rule-graph';
import { PAYLOAD_LIMITS } from './payload-limits.ts';
import { memberErrors, PARTY_MEMBER_CHECKS, SUBJECT_MEMBERS } from './subject-members.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Everything that is wrong with a payload, with pointers from `root` on. Published members are typed; others are free within the
 * bounds. A declared age that contradicts the birth date is no error: the result reports it as a data gap.
 */
export function payloadErrors(payload: Members, today: string, root = '/payload'): FieldError[] {
  const errors: FieldError[] = [];
  memberErrors(SUBJECT_MEMBERS, payload, { pointer: root, today }, errors);
  for (const role of PARTY_ROLES) partyErrors(payload, PARTY_MEMBERS[role], { root, today }, errors);
  if (errors.length === 0) boundErrors(payload, root, errors);
  return errors;
}

/** One party, or several of them. A shape that would not be read is refused: nobody goes unscreened because of a typing error. */
function partyErrors(
  payload: Members,
  member: string,
  { root, today }: { root: string; today: string },
  errors: FieldError[],
): void {
  const value = payload[member];
  if (value === undefined) return;
  const pointer = `${root}/${member}`;
  const many = Array.isArray(value);
  const parties: unknown[] = many ? value : [value];
  if (parties.length > PAYLOAD_LIMITS.parties) {
    errors.push({ pointer, code: 'too_many', detail: `Name at most ${PAYLOAD_LIMITS.parties}.` });
    return;
  }
  parties.forEach((party, nth) => {
    const at = many ? `${pointer}/${nth}` : pointer;
    if (party === null || typeof party !== 'object' || Array.isArray(party)) {
      errors.push({ pointer: at, code: 'wrong_type', detail: 'Must be an object with full_name.' });
      return;
    }
    if ((party as Members).full_name === undefined) {
      errors.push({ pointer: `${at}/full_name`, code: 'required', detail: 'Add this member.' });
    }
    memberErrors(PARTY_MEMBER_CHECKS, party as Members, { pointer: at, today }, errors);
  });
}

/** The size of what is not typed. */
function boundErrors(payload: Members, root: string, errors: FieldError[]): void {
  const { bytes, depth, values, text, member } = PAYLOAD_LIMITS;
  if (Buffer.byteLength(JSON.stringify(payload)) > bytes) {
    errors.push({ pointer: root, code: 'too_long', detail: `Send at most ${bytes / 1024} KB.` });
    return;
  }
  let seen = 0;
  const walk = (value: unknown, pointer: string, level: number): void => {
    seen += 1;
    if (typeof value === 'string' && value.length > text) {
      errors.push({ pointer, code: 'too_long', detail: `Must not be longer than ${text} characters.` });
    }
    if (value === null || typeof value !== 'object') return;
    if (level > depth) {
      errors.push({ pointer, code: 'too_deep', detail: `Nest at most ${depth} levels.` });
      return;
    }
    for (const [name, below] of Object.entries(value)) {
      const at = pointerTo(pointer, name);
      if (name.length > member) {
        errors.push({ pointer: at, code: 'too_long', detail: `Name it with at most ${member} characters.` });
      }
      walk(below, at, level + 1);
    }
  };
  walk(payload, root, 1);
  if (seen > values) errors.push({ pointer: root, code: 'too_many', detail: `Send at most ${values} values.` });
}
