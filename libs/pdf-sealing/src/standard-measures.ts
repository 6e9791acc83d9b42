import { StandardFontEmbedder, StandardFonts } from 'pdf-lib';
import type { Face } from './drawing.ts';
import { unicodeFont } from './unicode-font.ts';

/** Highest and lowest ink above the baseline, in em (descent is negative). */
export interface Extent {
  ascent: number;
  descent: number;
}

/** A text in a standard font. Lengths in em. */
export interface MeasuredText extends Extent {
  width: number;
  /** As a PDF string in the font's encoding. */
  winAnsi: string;
}

interface Mark extends Extent {
  width: number;
  /** In hexadecimal. */
  code: string;
}

export const STANDARD_FONTS: Record<Face, StandardFonts> = {
  plain: StandardFonts.Helvetica,
  bold: StandardFonts.HelveticaBold,
  signature: StandardFonts.TimesRomanItalic,
  fixed: StandardFonts.Courier,
};

/** Draws nothing in WinAnsi's code page but has a code there: pdf-lib would accept it, readers differ. */
const SOFT_HYPHEN = 0xad;
const DELETE = 0x7f;
const FIRST_C1 = 0x80;
const LAST_C1 = 0x9f;

/** The measures of a standard font, which pdf-lib brings along. The ink is taken from DejaVu Sans, which stands a little taller. */
export class StandardMeasures {
  private static readonly known = new Map<Face, StandardMeasures>();
  /** By code point; null where the font has no such character. */
  private readonly marks: (Mark | null | undefined)[] = [];

  private constructor(
    private readonly font: StandardFontEmbedder,
    private readonly characters: ReadonlySet<number>,
  ) {}

  /** Read once per process. */
  static of(face: Face): StandardMeasures {
    let measures = this.known.get(face);
    if (!measures) {
      const font = StandardFontEmbedder.for(STANDARD_FONTS[face] as never);
      measures = new StandardMeasures(font, new Set(font.encoding.supportedCodePoints));
      this.known.set(face, measures);
    }
    return measures;
  }

  /**
   * undefined when WinAnsi lacks a character. Character by character: pdf-lib's own width takes kerning into account, which it then
   * does not draw.
   */
  measure(text: string): MeasuredText | undefined {
    let [width, ascent, descent, codes] = [0, 0, 0, '<'];
    // WinAnsi has nothing beyond the basic plane, so that a code unit is a character.
    for (let at = 0; at < text.length; at++) {
      const codePoint = text.charCodeAt(at);
      let mark = this.marks[codePoint];
      if (mark === undefined) mark = this.marks[codePoint] = this.markOf(codePoint);
      if (mark === null) return undefined;
      width += mark.width;
      if (mark.ascent > ascent) ascent = mark.ascent;
      if (mark.descent < descent) descent = mark.descent;
      codes += mark.code;
    }
    return { width, ascent, descent, winAnsi: `${codes}>` };
  }

  private markOf(codePoint: number): Mark | null {
    const control = codePoint < 0x20 || codePoint === DELETE || (codePoint >= FIRST_C1 && codePoint <= LAST_C1);
    if (control || codePoint === SOFT_HYPHEN || !this.characters.has(codePoint)) return null;
    const character = String.fromCharCode(codePoint);
    const code = this.font.encodeText(character).asString();
    const ink = inkOf([unicodeFont().glyphForCodePoint(codePoint)]);
    return { ...ink, width: this.font.widthOfTextAtSize(character, 1), code };
  }
}

/** The ink of glyphs of DejaVu Sans above and below the baseline. */
export function inkOf(glyphs: readonly { bbox: { minY: number; maxY: number } }[]): Extent {
  const em = unicodeFont().unitsPerEm;
  const inked = glyphs.map((glyph) => glyph.bbox).filter((box) => Number.isFinite(box.minY) && box.maxY > box.minY);
  return {
    ascent: Math.max(0, ...inked.map((box) => box.maxY)) / em,
    descent: Math.min(0, ...inked.map((box) => box.minY)) / em,
  };
}
