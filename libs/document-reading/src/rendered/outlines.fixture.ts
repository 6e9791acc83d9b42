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
export type Face = keyof typeof FACES;

const packages = createRequire(import.meta.url);
const dejavu = (name: string): string => packages.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
const fonts = new Map<Face, Font>();

/** Tools run bundled, from elsewhere: look for the repository's root. */
function repository(): string {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'libs/document-reading/fonts/OCRB.otf'))) return folder;
    if (folder === path.dirname(folder)) throw new Error('libs/document-reading/fonts/OCRB.otf is missing');
  }
}

function fontOf(face: Face): Font {
  const known = fonts.get(face);
  if (known) return known;
  const font = fontkit.create(fs.readFileSync(FACES[face]())) as Font;
  fonts.set(face, font);
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
}

/** SVG paths of a line of text whose baseline begins at (x, y). */
export function textPaths(text: string, x: number, y: number, style: TextStyle): string {
  const font = fontOf(style.face);
  const scale = style.size / font.unitsPerEm;
  const fill = style.fill ?? '#111';
  const stroke = style.weight ? ` stroke="${fill}" stroke-width="${style.weight}" stroke-linejoin="round"` : '';
  let at = x;
  return [...text]
    .map((character) => {
      const [glyph] = font.layout(character).glyphs;
      if (!glyph) return '';
      const place = `translate(${at.toFixed(3)} ${y}) scale(${scale} ${-scale})`;
      const advance = glyph.advanceWidth * scale;
      at += style.pitch ?? advance;
      const path = glyph.path.toSVG();
      return path === '' ? '' : `<g transform="${place}"><path d="${path}" fill="${fill}"${scaled(stroke, scale)}/></g>`;
    })
    .join('');
}

/** Stroke widths are given in pixels, paths in font units. */
const scaled = (stroke: string, scale: number): string =>
  stroke.replace(/stroke-width="([\d.]+)"/, (_, width: string) => `stroke-width="${Number(width) / scale}"`);

/** Width in pixels of a line set in the face's own widths. */
export function textWidth(text: string, style: TextStyle): number {
  const font = fontOf(style.face);
  return [...text].reduce(
    (sum, character) => sum + (font.layout(character).glyphs[0]?.advanceWidth ?? 0) * (style.size / font.unitsPerEm),
    0,
  );
}
