import { pointerTo } from '@constancia/http';
import { canonicalJson } from '@constancia/kernel';

/** A value that an import changes. */
export interface Difference {
  /** JSON Pointer into the object. */
  pointer: string;
  /** As JSON, cut off after 500 characters; null: there is none. */
  before: string | null;
  after: string | null;
}

export const DIFFERENCE_LIMITS = { items: 100, text: 500 } as const;

/** Where two JSON values differ, as deep as possible: the first hundred places. */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, pointer: string, found: Difference[]): void {
  if (found.length >= DIFFERENCE_LIMITS.items) return;
  const [a, b] = [membersOf(before), membersOf(after)];
  if (a && b && Array.isArray(before) === Array.isArray(after)) {
    for (const name of new Set([...a.keys(), ...b.keys()])) {
      compare(a.get(name), b.get(name), pointerTo(pointer, name), found);
    }
  } else if (textOf(before) !== textOf(after)) {
    found.push({ pointer, before: shown(before), after: shown(after) });
  }
}

const membersOf = (value: unknown): Map<string, unknown> | null =>
  value !== null && typeof value === 'object' ? new Map(Object.entries(value)) : null;

const textOf = (value: unknown): string | null => (value === undefined ? null : canonicalJson(value));

function shown(value: unknown): string | null {
  const text = textOf(value);
  return text === null || text.length <= DIFFERENCE_LIMITS.text
    ? text
    : `${text.slice(0, DIFFERENCE_LIMITS.text - 1)}…`;
}
