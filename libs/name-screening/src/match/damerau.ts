/**
 * Damerau-Levenshtein distance of two short words (optimal string alignment: insert, delete, substitute, swap neighbours),
 * or `bound` + 1 as soon as it is more than `bound`.
 */
export function damerau(a: string, b: string, bound: number): number {
  const [n, m] = [a.length, b.length];
  if (Math.abs(n - m) > bound) return bound + 1;
  let [before, above, row] = ROWS as [Int32Array, Int32Array, Int32Array];
  for (let j = 0; j <= m; j++) above[j] = j;
  for (let i = 1; i <= n; i++) {
    const unit = a.charCodeAt(i - 1);
    let least = (row[0] = i);
    for (let j = 1; j <= m; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + Number(unit !== other),
      );
      if (i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > bound) return bound + 1;
    [before, above, row] = [above, row, before];
  }
  return Math.min(above[m] as number, bound + 1);
}

/** Longest word (MAX_TOKEN_LENGTH) and one; reused, as nothing here waits. */
const ROWS = [0, 1, 2].map(() => new Int32Array(41));
