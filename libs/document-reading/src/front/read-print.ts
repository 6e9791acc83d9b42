import type { GreyImage } from '../image/grey-image.ts';
import { logProbabilities, unpacked } from '../mrz/glyph-network.ts';
import type { GlyphNetwork } from '../mrz/glyph-network.ts';
import { PRINT_NETWORK } from './print-network.ts';
import { STRIP, WINDOW, stripOf } from './print-strip.ts';
import type { PrintedLine } from './print-strip.ts';

/** Capitals of a line, without accents and spaces, and how sure the least sure of them is (0 to 1). */
export interface PrintedText {
  text: string;
  confidence: number;
}

let network: GlyphNetwork | undefined;

/** Vertical shifts, in pixels of the strip, whose scores are averaged. */
export const ONE_VIEW = [0];
export const MANY_VIEWS = [0, 0.9, -0.9];

/** Reads a line of capitals letter by letter; what it says owes nothing to any other source. */
export function readPrint(image: GreyImage, line: PrintedLine, views: readonly number[]): PrintedText {
  network ??= unpacked(PRINT_NETWORK);
  const glyphs = network.glyphs;
  const strips = views.map((shift) => stripOf(image, line, shift));
  const positions = (strips[0]?.width ?? 0) - WINDOW.width + 1;
  const columns: Float32Array[] = [];
  for (let at = 0; at < positions; at++) {
    const sum = new Float32Array(glyphs.length);
    for (const strip of strips) {
      const logs = logProbabilities(network, strip.ink, at * STRIP.height);
      for (let glyph = 0; glyph < sum.length; glyph++) sum[glyph] = (sum[glyph] as number) + Math.exp(logs[glyph] as number) / strips.length; // prettier-ignore
    }
    columns.push(sum);
  }
  return lettersOf(columns, glyphs);
}

interface Stretch {
  glyph: number;
  weight: number;
  best: number;
}

/** A letter is a stretch of columns in which it is the likeliest; slivers at the edge of a stronger neighbour are none. */
function lettersOf(columns: readonly Float32Array[], glyphs: string): PrintedText {
  const blank = glyphs.indexOf(' ');
  const stretches: Stretch[] = [];
  let before = blank;
  for (const column of columns) {
    let likeliest = 0;
    for (let glyph = 1; glyph < column.length; glyph++) {
      if ((column[glyph] as number) > (column[likeliest] as number)) likeliest = glyph;
    }
    if (likeliest !== before) stretches.push({ glyph: likeliest, weight: 0, best: 0 });
    const own = stretches.at(-1);
    if (own && likeliest !== blank) {
      own.weight += column[likeliest] as number;
      own.best = Math.max(own.best, column[likeliest] as number);
    }
    before = likeliest;
  }
  const kept = stretches.filter(({ glyph, weight, best }, at) => {
    if (glyph === blank || best < 0.4) return false;
    const beside = Math.max(stretches[at - 1]?.weight ?? 0, stretches[at + 1]?.weight ?? 0);
    return weight > 0.4 * beside;
  });
  return {
    text: kept.map(({ glyph }) => glyphs[glyph]).join(''),
    confidence: kept.reduce((least, { best }) => Math.min(least, best), kept.length > 0 ? 1 : 0),
  };
}
