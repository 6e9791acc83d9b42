import { pointerTo } from '@constancia/http';
import type { FieldError } from '@constancia/problem-json';
import type { Placeholder } from '../templates/template.entity.ts';

export const MERGE_LIMITS = { keys: 200, characters: 2_000 } as const;

/** What merge data is checked against. */
type Keyed = Pick<Placeholder, 'key' | 'required'>;

/**
 * Everything that is wrong with merge data for a template with these placeholders: too many keys, keys that the template does not
 * have, values that are no text or too long, a required key without a value. (The body parser has refused what PostgreSQL cannot store.)
 */
export function mergeDataErrors(mergeData: Record<string, unknown>, placeholders: readonly Keyed[]): FieldError[] {
  const entries = Object.entries(mergeData);
  if (entries.length > MERGE_LIMITS.keys) {
    return [{ pointer: '/merge_data', code: 'too_many', detail: `merge_data has at most ${MERGE_LIMITS.keys} keys.` }];
  }
  const templateKeys = new Set(placeholders.map(({ key }) => key));
  const errors = entries.flatMap(([key, value]) => {
    const broken = brokenRule(key, value, templateKeys);
    return broken ? [{ pointer: pointerTo('/merge_data', key), ...broken }] : [];
  });
  const required = new Set(placeholders.filter((placeholder) => placeholder.required).map(({ key }) => key));
  return [...errors, ...blankKeys(mergeData, [...required]).map(missing)];
}

/** The keys that are drawn as nothing: left out, empty, or spaces only. */
export function blankKeys(mergeData: Record<string, unknown>, keys: readonly string[]): string[] {
  return [...new Set(keys)].filter((key) => {
    const value = Object.hasOwn(mergeData, key) ? mergeData[key] : '';
    return typeof value === 'string' && value.trim() === '';
  });
}

function missing(key: string): FieldError {
  const detail = 'The template requires a value for this placeholder.';
  return { pointer: pointerTo('/merge_data', key), code: 'required', detail };
}

function brokenRule(
  key: string,
  value: unknown,
  templateKeys: ReadonlySet<string>,
): Omit<FieldError, 'pointer'> | null {
  if (!templateKeys.has(key))
    return { code: 'unknown_member', detail: 'The template has no placeholder with this key.' };
  if (typeof value !== 'string') return { code: 'wrong_type', detail: 'A merge value is a text.' };
  if (characters(value) > MERGE_LIMITS.characters) {
    return { code: 'too_long', detail: `A merge value has at most ${MERGE_LIMITS.characters} characters.` };
  }
  return null;
}

/** Values in NFC: what a person typed as one letter is drawn as one glyph. */
export function normalised(mergeData: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(mergeData).map(([key, value]) => [key, value.normalize('NFC')]));
}

/** Unicode code points, as JSON Schema's maxLength counts. */
function characters(text: string): number {
  return text.length <= MERGE_LIMITS.characters ? text.length : [...text].length;
}
