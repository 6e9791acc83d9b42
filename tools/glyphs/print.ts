/**
 * Makes libs/document-reading/src/front/print-network.ts: draws lines of printed capitals in several faces as cameras see them,
 * cuts them into windows with the reader's own sampling, and trains a network that recognises a letter in the middle of a window from
 * the space between letters.
 *
 *   node tools/run.mjs tools/glyphs/print.ts <lines> <epochs> [folder with more fonts, such as Debian's fonts-liberation]
 *
 * Two of the repository's faces, sansCondensedBold and serif, are left out: the bench measures unknown faces with them.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { STRIP, STRIP_MARGIN, WINDOW, stripOf } from '../../libs/document-reading/src/front/print-strip.ts';
import { packed } from '../../libs/document-reading/src/mrz/glyph-network.ts';
import { capHeight, placedGlyphs, textPaths } from '../../libs/document-reading/src/rendered/outlines.fixture.ts';
import type { Face } from '../../libs/document-reading/src/rendered/outlines.fixture.ts';
import { seeded } from '../../libs/document-reading/src/rendered/photograph.fixture.ts';
import { trained } from './train-network.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The class of windows with no letter in their middle. */
const GLYPHS = `${LETTERS} `;
const ACCENTED: Record<string, string> = { Á: 'A', É: 'E', Í: 'I', Ó: 'O', Ú: 'U', Ü: 'U', Ñ: 'N' };
const [lines = '1500', epochs = '5', folder] = process.argv.slice(2);
const more = folder ? fs.readdirSync(folder).filter((file) => /Sans.*\.ttf$/.test(file) && !/Italic|Oblique/.test(file)) : []; // prettier-ignore
const faces: Face[] = [
  'sans',
  'sansBold',
  'sansCondensed',
  'serifBold',
  'mono',
  'monoBold',
  'ocrB',
  ...more.flatMap((file) => Array<Face>(2).fill({ file: path.join(folder as string, file) })),
];
const random = seeded(4711);
const between = (least: number, most: number) => least + (most - least) * random();
const pictures: number[][] = [];
const labels: number[] = [];

/** Letters by about their share in Spanish names, some accented, in words. */
function words(): string {
  let text = '';
  const often = 'AAAAEEEIIOOORRRSSNNLLLDDCCMMTTUUGZZPHVBJYFQXKW';
  while (text.length < 22) {
    const length = 2 + Math.floor(random() * 8);
    for (let at = 0; at < length; at++) {
      const from = random() < 0.5 ? often : random() < 0.1 ? 'ÁÉÍÓÚÜÑÑÑ' : LETTERS;
      text += from[Math.floor(random() * from.length)];
    }
    text += ' ';
  }
  return text.trim();
}

for (let n = 0; n < Number(lines); n++) {
  const face = faces[n % faces.length] as Face;
  const size = between(16, 60);
  const text = words();
  const [paper, ink] = [between(140, 255), between(0, 80)];
  const grey = (value: number) => `rgb(${Array(3).fill(Math.round(value)).join(',')})`;
  const style = { face, size, fill: grey(ink), weight: Math.max(0, between(-0.03, 0.05)) * size, tracking: Math.max(-0.02, between(-0.05, 0.08)) * size }; // prettier-ignore
  const cap = capHeight(style);
  const glyphs = placedGlyphs(text, 1.5 * size, style);
  const last = glyphs.at(-1) as (typeof glyphs)[number];
  const [width, height] = [Math.ceil(last.x + last.advance + 1.5 * size), Math.ceil(3 * size)];
  const slope = between(-0.02, 0.02);
  const lean = between(-0.06, 0.06);
  const baseline = 2 * size;
  const wave = `<path d="M0 ${size} L${width} ${1.6 * size} M0 ${2.4 * size} L${width} ${1.2 * size}" stroke="#888" stroke-opacity="${between(0, 0.3)}" fill="none"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${grey(paper)}"/>${wave}<g transform="matrix(1 ${slope} ${lean} 1 ${-lean * baseline} 0)">${textPaths(text, 1.5 * size, baseline, style)}</g></svg>`;
  let picture = sharp(Buffer.from(svg)).toColourspace('b-w');
  const blur = between(0, 0.11) * cap;
  if (blur > 0.35) picture = picture.blur(blur);
  const flat = await picture.raw().toBuffer({ resolveWithObject: true });
  const [slant, noise] = [between(-0.25, 0.25), between(0, 5)];
  for (let at = 0; at < flat.data.length; at++) {
    const light = 1 + slant * ((at % flat.info.width) / width - 0.5);
    flat.data[at] = Math.max(
      0,
      Math.min(255, (flat.data[at] as number) * light + noise * (random() + random() - 1) * 2),
    );
  }
  const raw = { width: flat.info.width, height: flat.info.height, channels: flat.info.channels };
  const jpeg = await sharp(flat.data, { raw })
    .jpeg({ quality: Math.round(between(22, 95)) })
    .toBuffer();
  const { data, info } = await sharp(jpeg).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const image = {
    width: info.width,
    height: info.height,
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
  };
  const start = (glyphs[0] as (typeof glyphs)[number]).x;
  const jittered = cap * between(0.9, 1.1);
  const line = {
    x: start,
    y: baseline + slope * start + between(-0.06, 0.06) * cap,
    length: last.x + last.advance - start,
    slope: slope + between(-0.006, 0.006),
    cap: jittered,
  };
  const strip = stripOf(image, line, 0, between(0.9, 1.1) as number);
  const perPixel = (strip.width - 2 * STRIP_MARGIN) / line.length;
  take(strip.ink, strip.width, glyphs.map((each) => ({ ...each, centre: STRIP_MARGIN + (each.x - start + each.advance / 2) * perPixel, width: each.advance * perPixel }))); // prettier-ignore
}

interface Centred {
  character: string;
  centre: number;
  width: number;
}

/** Windows at each letter's middle (a pixel or so off), and between letters, where there is none. */
function take(ink: Float32Array, width: number, glyphs: readonly Centred[]): void {
  const window = (centre: number, label: string) => {
    const from = Math.round(centre) - WINDOW.width / 2;
    if (from < 0 || from + WINDOW.width > width) return;
    pictures.push(Array.from(ink.subarray(from * STRIP.height, (from + WINDOW.width) * STRIP.height)));
    labels.push(GLYPHS.indexOf(label));
  };
  glyphs.forEach(({ character, centre, width: own }) => {
    if (character === ' ') {
      for (const from of [-0.7, -0.2, 0.3]) window(centre + between(from, from + 0.4) * own, ' ');
      return;
    }
    const label = ACCENTED[character] ?? character;
    window(centre + between(-0.13, 0.13) * own, label);
    if (random() < 0.6) window(centre + between(-0.13, 0.13) * own, label);
    const side = random() < 0.5 ? -1 : 1;
    window(centre + side * between(0.26, 0.55) * own, ' ');
    // Half of an M or a W looks like a narrower letter.
    if (own > STRIP.cap) for (const half of [-1, 1]) window(centre + half * between(0.2, 0.42) * own, ' ');
  });
}

console.log(`${labels.length} windows of ${faces.length} faces`);
const flatPictures = new Float32Array(labels.length * WINDOW.inputs);
pictures.forEach((picture, at) => flatPictures.set(picture, at * WINDOW.inputs));
const examples = { pictures: flatPictures, labels: Uint8Array.from(labels) };
const network = trained(examples, { inputs: WINDOW.inputs, hidden: 96, glyphs: GLYPHS }, Number(epochs));
const file = 'libs/document-reading/src/front/print-network.ts';
const source = [
  "import type { PackedNetwork } from '../mrz/glyph-network.ts';",
  '',
  '/** Generated by glyphs/print.ts from outlines of several faces; do not edit. */',
  `export const PRINT_NETWORK: PackedNetwork = ${JSON.stringify(packed(network))};`,
  '',
];
fs.writeFileSync(file, source.join('\n'));
spawnSync('node_modules/.bin/prettier', ['--write', file]);
console.log(`${file}: ${Math.round(fs.statSync(file).size / 1024)} KB`);
