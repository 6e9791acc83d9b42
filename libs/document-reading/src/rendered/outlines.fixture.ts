import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fontkit from '@pdf-lib/fontkit';
import type { Font } from '@pdf-lib/fontkit';

/** Faces that cards are drawn in. Outlines come from files in the repository and its packages, never from the machine. */
export const FACES = {
  ocrB: () => path.join(repository(), 'libs/document-reading/fonts/OCRB.otf'),
  sans: () => dejavu('DejaVuSans'),
  sansBold: () => dejavu('DejaVuSans-Bold'),
  sansCondensed: () => dejavu('DejaVuSansCondensed'),
  sansCondensedBold: () => dejavu('DejaVuSansCondensed-Bold'),
  serif: () => dejavu('DejaVuSerif'),
  serifBold: () => dejavu('DejaVuSerif-Bold'),
  mono: () => dejavu('DejaVuSansMono'),
  monoBold: () => dejavu('DejaVuSansMono-Bold'),
} as const;
/** One of FACES, or any other font file. */
export type Face = keyof typeof FACES | { file: string };

const packages = createRequire(import.meta.url);
const dejavu = (name: string): string => packages.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
const fonts = new Map<string, Font>();

/** Tools run bundled, from elsewhere: look for the repository's root. */
function repository(): string {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'libs/document-reading/fonts/OCRB.otf'))) return folder;
    if (folder === path.dirname(folder)) throw new Error('libs/document-reading/fonts/OCRB.otf is missing');
  }
}

function fontOf(face: Face): Font {
  const file = typeof face === 'string' ? FACES[face]() : face.file;
  const known = fonts.get(file);
  if (known) return known;
  const font = fontkit.create(fs.readFileSync(file)) as Font;
  fonts.set(file, font);
  return font;
}

export interface TextStyle {
  face: Face;
  /** Pixels per em. */
  size: number;
  fill?: string;
  /** Pixels by which strokes are thickened. */
  weight?: number;
  /** Pixels from character to character; default: the face's own widths. */
  pitch?: number;
  /** Pixels added after each character. */
  tracking?: number;
}

export interface PlacedGlyph {
  character: string;
  x: number;
  advance: number;
  /** Outline in font units. */
  path: string;
}

/** Where each character of a line stands that begins at `x`. */
export function placedGlyphs(text: string, x: number, style: TextStyle): PlacedGlyph[] {
  const font = fontOf(style.face);
  const scale = style.size / font.unitsPerEm;
  let at = x;
  return [...text].map((character) => {
    const glyph = font.layout(character).glyphs[0];
    const advance = (glyph?.advanceWidth ?? 0) * scale;
    const placed = { character, x: at, advance, path: glyph?.path.toSVG() ?? '' };
    at += (style.pitch ?? advance) + (style.tracking ?? 0);
    return placed;
  });
}

/** SVG paths of a line of text whose baseline begins at (x, y). */
export function textPaths(text: string, x: number, y: number, style: TextStyle): string {
  const scale = style.size / fontOf(style.face).unitsPerEm;
  const fill = style.fill ?? '#111';
  const stroke = style.weight ? ` stroke="${fill}" stroke-width="${style.weight / scale}" stroke-linejoin="round"` : '';
  return placedGlyphs(text, x, style)
    .filter(({ path }) => path !== '')
    .map((glyph) => {
      const place = `translate(${glyph.x.toFixed(3)} ${y}) scale(${scale} ${-scale})`;
      return `<path transform="${place}" d="${glyph.path}" fill="${fill}"${stroke}/>`;
    })
    .join('');
}

/** Height of capitals, pixels. */
export const capHeight = (style: TextStyle): number => {
  const font = fontOf(style.face);
  return ((font.layout('H').glyphs[0]?.bbox.maxY ?? font.capHeight) * style.size) / font.unitsPerEm;
};

/** Width in pixels of a line set in the face's own widths. */
export function textWidth(text: string, style: TextStyle): number {
  return placedGlyphs(text, 0, { ...style, pitch: undefined }).reduce((sum, { advance }) => sum + advance, 0);
}
