/**
 * Stands in for unicode-font.ts in programs that draw with the standard fonts alone: no font file, nothing that
 * reads one, and no character beyond WinAnsi. How high letters are matters to single lines only, which such programs do not draw.
 */
const HIGHEST_AND_LOWEST = { minY: -236, maxY: 928 };

export const FONT_FEATURES = {};
export const parsedFontkit = {};

export function unicodeFont() {
  return {
    unitsPerEm: 1_000,
    hasGlyphForCodePoint: () => false,
    glyphForCodePoint: () => ({ bbox: HIGHEST_AND_LOWEST }),
  };
}
