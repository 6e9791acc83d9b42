import type { TextBox, TextLine } from './drawing.ts';
import { asOneLine, drawable, lineOfText } from './line-of-text.ts';
import type { Font, LineOfText } from './line-of-text.ts';
import { SealingFailure } from './sealing-failure.ts';

/** Lines of a box with where each begins: its baseline, from the box's lower-left corner, in points. */
export interface FittedText {
  size: number;
  lines: { x: number; y: number; line: LineOfText }[];
}

/** Of a line above and below its baseline, and from one baseline to the next, in em. */
const ASCENT = 0.8;
const DESCENT = 0.2;
const LEADING = 1.2;
/** Smaller is not tried; what still does not fit is refused or cut. */
const LEAST_SIZE = 4;
/** From one size that is tried to the next. */
const STEP = 0.94;
const ELLIPSIS = '…';

/** The size, in points, at which a line fits into its `maxWidth`: its own, or the largest smaller one. Throws SealingFailure text_overflow. */
export function fittedSize({ key, size, maxWidth }: TextLine, line: LineOfText): number {
  if (maxWidth === undefined || line.width * size <= maxWidth) return size;
  const fitted = Math.floor((maxWidth / line.width) * 100) / 100;
  const least = Math.min(LEAST_SIZE, size);
  if (fitted >= least) return fitted;
  const sentence = `The value for placeholder "${key}" is wider than its max_width of ${maxWidth} points, even at a size of ${least} points.`;
  throw new SealingFailure('text_overflow', sentence);
}

/** Breaks a text over the lines of its box, as large as it fits. null when there is nothing to draw. Throws SealingFailure. */
export function fittedText(box: TextBox): FittedText | null {
  const { width, height, lines: most = 1, lenient = false } = box;
  const text = (lenient ? drawable(box.text) : asOneLine(box.text)).trim();
  const whole = lineOfText(text, box.key, box.face);
  if (!whole) return null;
  const { font } = whole; // of all lines: one value is drawn in one font
  const least = Math.min(LEAST_SIZE, box.size);
  for (let size = box.size; ; size = Math.max(size * STEP, least)) {
    const words = new Words(box.key, font, width / size);
    const lines = words.broken(text, most + 1);
    if (lines.length <= most && heightOf(lines.length) * size <= height) return placed(box, font, size, lines);
    if (size > least) continue;
    const room = Math.min(most, linesIn(height / size));
    if (!lenient || room < 1) throw overflow(box);
    return placed(box, font, size, [...lines.slice(0, room - 1), words.cut(lines.slice(room - 1).join(' '))]);
  }
}

const heightOf = (lines: number) => ASCENT + DESCENT + (lines - 1) * LEADING;
const linesIn = (heightEm: number) => 1 + Math.floor((heightEm - ASCENT - DESCENT) / LEADING);

function placed(box: TextBox, font: Font, size: number, lines: readonly string[]): FittedText {
  const { width, height, align = 'left', from = 'middle', key } = box;
  const over = height - heightOf(lines.length) * size;
  const top = height - (from === 'top' ? 0 : over / 2) - ASCENT * size;
  const placedLines = lines.flatMap((text, nth) => {
    const line = lineOfText(text, key, font);
    if (!line) return [];
    const free = width - line.width * size;
    const x = { left: 0, centre: free / 2, right: free }[align];
    return [{ x, y: top - nth * LEADING * size, line }];
  });
  return { size, lines: placedLines };
}

/** Breaks text into lines of a width, in em. */
class Words {
  constructor(
    private readonly key: string,
    private readonly font: Font,
    private readonly width: number,
  ) {}

  /** Stops at so many lines, the last of which then holds all the rest. */
  broken(text: string, most: number): string[] {
    const lines: string[] = [];
    let rest = text;
    while (rest !== '' && lines.length < most - 1) {
      const end = this.fits(rest) ? rest.length : this.lineEnd(rest);
      lines.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end).trimStart();
    }
    if (rest !== '') lines.push(rest);
    return lines;
  }

  /** As much as fits with an ellipsis behind. */
  cut(text: string): string {
    if (this.fits(text)) return text;
    const end = this.longest(text, (start) => `${start.trimEnd()}${ELLIPSIS}`);
    return `${text.slice(0, end).trimEnd()}${ELLIPSIS}`;
  }

  /** At the last space that fits, or inside a word that is longer than a line. */
  private lineEnd(text: string): number {
    const firstCharacter = isHighSurrogate(text.charCodeAt(0)) ? 2 : 1;
    const end = Math.max(
      this.longest(text, (start) => start),
      firstCharacter,
    );
    const space = text.lastIndexOf(' ', end);
    return space > 0 ? space : end;
  }

  /** Length of the longest beginning that fits; never half of a surrogate pair. */
  private longest(text: string, shown: (start: string) => string): number {
    let [fits, over] = [0, text.length];
    while (over - fits > 1) {
      const middle = (fits + over) >> 1;
      if (this.fits(shown(text.slice(0, whole(text, middle))))) fits = middle;
      else over = middle;
    }
    return whole(text, fits);
  }

  private fits(text: string): boolean {
    return (lineOfText(text, this.key, this.font)?.width ?? 0) <= this.width;
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;

const whole = (text: string, end: number) => (isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end);

function overflow({ key, width, height }: TextBox): SealingFailure {
  const size = `${Math.round(width)} by ${Math.round(height)} points`;
  return new SealingFailure('text_overflow', `The value for "${key}" does not fit into its box of ${size}.`);
}
