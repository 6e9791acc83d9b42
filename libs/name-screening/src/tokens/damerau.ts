/** Longest word whose distance is worked out with one bit per letter. */
const BITS = 32;
/** Per ASCII letter, the places where the first word has it; all 0 between calls. */
const places = new Int32Array(128);

/**
 * Damerau-Levenshtein distance of two short words (optimal string alignment: insert, delete, substitute, swap neighbours),
 * or `bound` + 1 as soon as it is more than `bound`.
 */
export function damerau(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  const edits = a.length > 0 && a.length <= BITS ? byBits(a, b) : -1;
  return edits < 0 ? byRows(a, b, bound) : Math.min(edits, bound + 1);
}

/**
 * A column of the matrix in two words of 32 bits (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
 * distances", 2003). -1 for words that are not ASCII.
 */
function byBits(a: string, b: string): number {
  let other = 0;
  for (let at = 0; at < a.length; at++) {
    const unit = a.charCodeAt(at);
    other |= unit;
    places[unit & 127] = (places[unit & 127] as number) | (1 << at);
  }
  for (let at = 0; at < b.length; at++) other |= b.charCodeAt(at);
  const edits = other > 127 ? -1 : columns(a.length, b);
  for (let at = 0; at < a.length; at++) places[a.charCodeAt(at) & 127] = 0;
  return edits;
}

function columns(length: number, b: string): number {
  const last = 1 << (length - 1);
  let [more, less, diagonal, before] = [-1, 0, 0, 0];
  let edits = length;
  for (let at = 0; at < b.length; at++) {
    const equal = places[b.charCodeAt(at)] as number;
    const swapped = ((~diagonal & equal) << 1) & before;
    diagonal = ((((equal & more) + more) | 0) ^ more) | equal | less | swapped;
    const up = less | ~(diagonal | more);
    const down = diagonal & more;
    if ((up & last) !== 0) edits += 1;
    if ((down & last) !== 0) edits -= 1;
    const shifted = (up << 1) | 1;
    more = (down << 1) | ~(diagonal | shifted);
    less = shifted & diagonal;
    before = equal;
  }
  return edits;
}

/** The matrix row by row: for longer words, and in any script. */
function byRows(a: string, b: string, bound: number): number {
  const [n, m] = [a.length, b.length];
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
