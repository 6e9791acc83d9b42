import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { PDFFont } from 'pdf-lib';
import { SealingFailure } from './sealing-failure.ts';
import { FONT_FEATURES, parsedFontkit, unicodeFont } from './unicode-font.ts';

export type Face = 'helvetica' | 'unicode';

/** Highest and lowest ink above the baseline, in em (descent is negative). */
interface Extent {
  ascent: number;
  descent: number;
}

/** A value ready to be drawn on one line. Lengths in em: multiply by the font size. */
export interface LineOfText extends Extent {
  text: string;
  face: Face;
  width: number;
  /** The text as a PDF string in Helvetica's encoding, where it is drawn in it. */
  winAnsi?: string;
}

/** Hebrew, Arabic and their kin (Unicode blocks 0590–08FF and the presentation forms). */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const SPACES_OR_RIGHT_TO_LEFT = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\s]*$/u;
/** Line breaks and tabs. A placeholder is one line: each run of them is drawn as one space. */
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;

/** Draws nothing in WinAnsi's code page but has a code there: pdf-lib would accept it, readers differ. */
const SOFT_HYPHEN = '\u00ad';

/**
 * Turns a value into a line: NFC, line breaks as spaces, Helvetica when WinAnsi has every character, else DejaVu Sans. null when
 * there is nothing to draw. Throws SealingFailure unsupported_text naming the character (U+XXXX) and the placeholder's key.
 */
export function lineOfText(value: string, key: string, helvetica: HelveticaMeasures): LineOfText | null {
  const text = value.normalize('NFC').replaceAll(LINE_BREAKS, ' ');
  if (text.trim() === '') return null;
  const control = CONTROL.exec(text);
  if (control) throw unsupported(control[0], key);
  return helvetica.line(text) ?? unicodeLine(text, key);
}

function unicodeLine(text: string, key: string): LineOfText {
  const font = unicodeFont();
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number;
    if (!font.hasGlyphForCodePoint(codePoint)) throw unsupported(character, key);
  }
  const rightToLeft = RIGHT_TO_LEFT.exec(text);
  if (rightToLeft && !SPACES_OR_RIGHT_TO_LEFT.test(text)) {
    throw new SealingFailure(
      'unsupported_text',
      `The value for placeholder "${key}" mixes writing directions (${codePointName(rightToLeft[0])}): write it in one.`,
    );
  }
  const { glyphs } = font.layout(text, FONT_FEATURES);
  return { text, face: 'unicode', ...extent(glyphs), width: sum(glyphs.map((glyph) => glyph.advanceWidth)) / em() };
}

/** The ink above and below the baseline. */
function extent(glyphs: readonly { bbox: { minY: number; maxY: number } }[]): Extent {
  const inked = glyphs.map((glyph) => glyph.bbox).filter((box) => Number.isFinite(box.minY) && box.maxY > box.minY);
  return {
    ascent: Math.max(0, ...inked.map((box) => box.maxY)) / em(),
    descent: Math.min(0, ...inked.map((box) => box.minY)) / em(),
  };
}

const em = () => unicodeFont().unitsPerEm;
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

function unsupported(character: string, key: string): SealingFailure {
  return new SealingFailure(
    'unsupported_text',
    `The value for placeholder "${key}" has a character that cannot be drawn: ${codePointName(character)}.`,
  );
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface Mark extends Extent {
  width: number;
  /** In hexadecimal. */
  code: string;
}

/** Helvetica's measures. Its ink is taken from DejaVu Sans, which stands a little taller. */
export class HelveticaMeasures {
  /** By code point. */
  private readonly marks = new Map<number, Mark>();

  private constructor(
    private readonly font: PDFFont,
    private readonly characters: ReadonlySet<number>,
  ) {}

  /** Reads the measures that come with pdf-lib. Once per process. */
  static async load(): Promise<HelveticaMeasures> {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    return new HelveticaMeasures(font, new Set(font.getCharacterSet()));
  }

  /**
   * undefined when WinAnsi lacks a character. Character by character: pdf-lib's own width takes kerning into account, which it then
   * does not draw.
   */
  line(text: string): LineOfText | undefined {
    const line = { text, face: 'helvetica' as const, width: 0, ascent: 0, descent: 0 };
    let codes = '';
    // WinAnsi has nothing beyond the basic plane, so that a code unit is a character.
    for (let at = 0; at < text.length; at++) {
      const codePoint = text.charCodeAt(at);
      const mark = this.marks.get(codePoint) ?? this.markOf(codePoint);
      if (!mark) return undefined;
      line.width += mark.width;
      if (mark.ascent > line.ascent) line.ascent = mark.ascent;
      if (mark.descent < line.descent) line.descent = mark.descent;
      codes += mark.code;
    }
    return { ...line, winAnsi: `<${codes}>` };
  }

  private markOf(codePoint: number): Mark | undefined {
    const character = String.fromCharCode(codePoint);
    if (character === SOFT_HYPHEN || !this.characters.has(codePoint)) return undefined;
    const ink = extent([unicodeFont().glyphForCodePoint(codePoint)]);
    const code = this.font.encodeText(character).asString();
    const mark = { ...ink, width: this.font.widthOfTextAtSize(character, 1), code };
    this.marks.set(codePoint, mark);
    return mark;
  }
}

/** Embeds DejaVu Sans in a document, as the subset that is drawn. */
export async function embedUnicode(document: PDFDocument): Promise<PDFFont> {
  document.registerFontkit(parsedFontkit as never);
  return document.embedFont(new Uint8Array(1), { subset: true, features: FONT_FEATURES });
}
