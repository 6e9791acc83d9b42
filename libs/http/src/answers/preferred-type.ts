/**
 * Which of the media types that an operation offers the caller wants most, from Accept (RFC 9110 §12.5.1): the highest quality wins, then
 * the order of the offer. Without the header, or when it wants none of them, the first one.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = (accept ?? '*/*').slice(0, 1_000).split(',').flatMap(rangeOf);
  let [best, quality]: [Type, number] = [offered[0], 0];
  for (const type of offered) {
    const wanted = qualityOf(type, ranges);
    if (wanted > quality) [best, quality] = [type, wanted];
  }
  return best;
}

interface MediaRange {
  range: string;
  quality: number;
}

function rangeOf(text: string): MediaRange[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return /^[^\s/]+\/[^\s/]+$/.test(range) && quality >= 0 && quality <= 1 ? [{ range, quality }] : [];
}

/** Of the most specific range that the type matches: text/csv before text/*, and that before the one for all. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find((each) => each.range === range);
    if (found) return found.quality;
  }
  return 0;
}
