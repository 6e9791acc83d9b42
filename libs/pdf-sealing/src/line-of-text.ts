import type { PDFDocument, PDFFont } from 'pdf-lib';
import type { Face } from './drawing.ts';
import { SealingFailure } from './sealing-failure.ts';
import { inkOf, StandardMeasures } from './standard-measures.ts';
import type { Extent } from './standard-measures.ts';
import { FONT_FEATURES, parsedFontkit, unicodeFont } from './unicode-font.ts';

/** What a line is drawn with: a standard font, or DejaVu Sans. */
export type Font = Face | 'unicode';

/** A value ready to be drawn on one line. Lengths in em: multiply by the font size. */
export interface LineOfText extends Extent {
  text: string;
  font: Font;
  width: number;
  /** The text as a PDF string in a standard font's encoding, where it is drawn in one. */
  winAnsi?: string;
}

/** Hebrew, Arabic and their kin (Unicode blocks 0590–08FF and the presentation forms). */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const SPACES_OR_RIGHT_TO_LEFT = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\s]*$/u;
/** Line breaks and tabs. A placeholder is one line: each run of them is drawn as one space. */
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
const REPLACEMENT = '\ufffd';

/** A text as it is drawn: NFC, line breaks as spaces. */
export const asOneLine = (text: string) => text.normalize('NFC').replaceAll(LINE_BREAKS, ' ');

/**
 * Turns a value into a line: NFC, line breaks as spaces, the face's standard font when WinAnsi has every character, else DejaVu Sans.
 * null when there is nothing to draw. Throws SealingFailure unsupported_text naming the character (U+XXXX) and the key.
 */
export function lineOfText(value: string, key: string, face: Font = 'plain'): LineOfText | null {
  if (value.trim() === '') return null;
  if (face === 'unicode') return unicodeLine(asOneLine(value), key);
  const measures = StandardMeasures.of(face);
  // What WinAnsi has is in NFC already, and no line break.
  const plain = measures.measure(value);
  if (plain) return { text: value, font: face, ...plain };
  const text = asOneLine(value);
  if (text.trim() === '') return null;
  const control = CONTROL.exec(text);
  if (control) throw unsupported(control[0], key);
  const composed = measures.measure(text);
  return composed ? { text, font: face, ...composed } : unicodeLine(text, key);
}

/** The text with U+FFFD in place of what `lineOfText` would refuse. */
export function drawable(value: string): string {
  const text = asOneLine(value);
  const mixed = RIGHT_TO_LEFT.test(text) && !SPACES_OR_RIGHT_TO_LEFT.test(text);
  let kept = '';
  for (const character of text) {
    // Asked first: a text of the standard font's characters alone never reads the other font.
    const isStandard = StandardMeasures.of('plain').measure(character) !== undefined;
    const isKnown = isStandard || unicodeFont().hasGlyphForCodePoint(character.codePointAt(0) as number);
    const refused = CONTROL.test(character) || !isKnown;
    kept += refused || (mixed && RIGHT_TO_LEFT.test(character)) ? REPLACEMENT : character;
  }
  return kept;
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
  const width = glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) / font.unitsPerEm;
  return { text, font: 'unicode', ...inkOf(glyphs), width };
}

function unsupported(character: string, key: string): SealingFailure {
  return new SealingFailure(
    'unsupported_text',
    `The value for placeholder "${key}" has a character that cannot be drawn: ${codePointName(character)}.`,
  );
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Embeds DejaVu Sans in a document, as the subset that is drawn. */
export async function embedUnicode(document: PDFDocument): Promise<PDFFont> {
  document.registerFontkit(parsedFontkit as never);
  return document.embedFont(new Uint8Array(1), { subset: true, features: FONT_FEATURES });
}
