/** Whether two lists hold the same texts, in any order. */
export const sameTexts = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());
