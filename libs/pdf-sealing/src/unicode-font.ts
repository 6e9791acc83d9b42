import fs from 'node:fs';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import type { Font } from '@pdf-lib/fontkit';
import { besideBundle } from '@constancia/child-process';

/** Ligatures off: a value must come out of the file letter by letter. */
export const FONT_FEATURES = { liga: false, clig: false, dlig: false };

let parsed: Font | undefined;

/** DejaVu Sans, parsed once per process. */
export function unicodeFont(): Font {
  return (parsed ??= parse());
}

/**
 * fontkit keeps every glyph as it was first asked for: one that first comes up as a part of another (the n of ñ) would be
 * without its character for ever, and text could not be copied out of later documents. So each is asked for by its character.
 */
function parse(): Font {
  const font = fontkit.create(fontFile()) as Font;
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  return font;
}

/** What pdf-lib asks for a font: hands out the one that is parsed already. */
export const parsedFontkit = { create: () => Promise.resolve(unicodeFont()) } as unknown as typeof fontkit;

/** Beside the bundle; from the sources, in the package that it comes from. */
function fontFile(): Buffer {
  const beside = besideBundle(import.meta.url, 'fonts/DejaVuSans.ttf');
  return fs.readFileSync(beside ?? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
}
