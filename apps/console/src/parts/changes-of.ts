/** The members of `edited` that differ from what was there before: what another member changed meanwhile stays. */
export function changesOf<Edited extends object>(
  edited: Edited,
  before: Readonly<Record<keyof Edited, unknown>>,
): Partial<Edited> {
  const changed = Object.entries(edited).filter(([name, value]) => !isSame(value, before[name as keyof Edited]));
  return Object.fromEntries(changed) as Partial<Edited>;
}

/** Lists are the same in any order. */
const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
    : one === other;
