/**
 * Makes libs/document-reading/src/mrz/ocr-b-network.ts: draws lines of OCR-B as printers and cameras make them (weight, pitch,
 * blur, JPEG, noise, light, lean), cuts them into cells with the reader's own sampling, slightly misplaced, and trains the
 * network on those cells.
 *
 *   node tools/run.mjs tools/glyphs/ocr-b.ts [pictures] [epochs]
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import sharp from 'sharp';
import { packed } from '../../libs/document-reading/src/mrz/glyph-network.ts';
import { CELL, atCellScale, sampleCells } from '../../libs/document-reading/src/mrz/sample-cells.ts';
import type { Homography } from '../../libs/document-reading/src/image/homography.ts';
import { textPaths, textWidth } from '../../libs/document-reading/src/rendered/outlines.fixture.ts';
import { seeded } from '../../libs/document-reading/src/rendered/photograph.fixture.ts';
import { trained } from './train-network.ts';

const GLYPHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
const COLUMNS = 40;
const ROWS = 3;
const [pictures = 700, epochs = 5] = process.argv.slice(2).map(Number);
const random = seeded(99);
const between = (least: number, most: number) => least + (most - least) * random();
const perPicture = COLUMNS * ROWS;
const examples = {
  pictures: new Float32Array(pictures * perPicture * CELL.pixels),
  labels: new Uint8Array(pictures * perPicture),
};

/** Fillers come in runs, as in real lines; everything else at random. */
function line(): string {
  let text = '';
  while (text.length < COLUMNS) {
    text += random() < 0.12 ? '<'.repeat(1 + Math.floor(random() * 6)) : GLYPHS[Math.floor(random() * 37)];
  }
  return text.slice(0, COLUMNS);
}

for (let n = 0; n < pictures; n++) {
  const pitch = between(10, 46);
  const [lean, squeeze] = [between(-0.05, 0.05), between(0.88, 1.12)];
  const rows = Array.from({ length: ROWS }, line);
  const [left, top, spacing] = [2 * pitch, 2 * pitch, 2.5 * pitch];
  const size = (pitch * 100) / textWidth('A', { face: 'ocrB', size: 100 });
  const weight = between(-0.02, 0.09) * pitch;
  const [paper, ink] = [between(150, 255), between(0, 90)];
  const grey = (value: number) => `rgb(${Array(3).fill(Math.round(value)).join(',')})`;
  const style = { face: 'ocrB', size, pitch, weight: Math.max(0, weight), fill: grey(ink) } as const;
  const [width, height] = [Math.ceil((COLUMNS + 4) * pitch), Math.ceil((ROWS * 2.5 + 2.5) * pitch)];
  const paths = rows.map((text, row) => textPaths(text, left, top + row * spacing, style)).join('');
  const shear = `matrix(1 0 ${lean} ${squeeze} 0 0)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.ceil(height * squeeze)}"><rect width="100%" height="100%" fill="${grey(paper)}"/><g transform="${shear}">${paths}</g></svg>`;
  let picture = sharp(Buffer.from(svg)).toColourspace('b-w');
  const blur = between(0, 0.13) * pitch;
  if (blur > 0.35) picture = picture.blur(blur);
  const flat = await picture.raw().toBuffer({ resolveWithObject: true });
  const [gradX, gradY, noise, texture] = [between(-0.3, 0.3), between(-0.3, 0.3), between(0, 6), between(0, 8)];
  for (let at = 0; at < flat.data.length; at++) {
    const [x, y] = [(at % flat.info.width) / width - 0.5, Math.floor(at / flat.info.width) / height - 0.5];
    const light = 1 + gradX * x + gradY * y;
    const value = (flat.data[at] as number) * light + texture * Math.sin(x * 60 + y * 45) + noise * (random() + random() - 1) * 2; // prettier-ignore
    flat.data[at] = Math.max(0, Math.min(255, value));
  }
  const raw = { width: flat.info.width, height: flat.info.height, channels: flat.info.channels };
  const jpeg = await sharp(flat.data, { raw })
    .jpeg({ quality: Math.round(between(18, 95)) })
    .toBuffer();
  const { data, info } = await sharp(jpeg).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const image = {
    width: info.width,
    height: info.height,
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
  };

  // The middle of a cell: half a pitch on, half a capital's height above the baseline.
  const [cx, cy] = [left + 0.5 * pitch + between(-0.02, 0.02) * pitch, top - 0.36 * size * 1.0];
  const tilt = between(-0.012, 0.012);
  const map: Homography = [
    pitch * (1 + between(-0.002, 0.002)),
    lean * spacing,
    cx + lean * cy,
    pitch * tilt * 0.3,
    spacing * squeeze,
    squeeze * cy,
    0,
    0,
    1,
  ];
  const scaled = atCellScale(image, map, pitch);
  const view = { dx: between(-0.07, 0.07), dy: between(-0.035, 0.035), zoom: between(0.92, 1.08) };
  const cells = sampleCells(scaled.image, scaled.map, COLUMNS, ROWS, view);
  examples.pictures.set(cells, n * perPicture * CELL.pixels);
  [...rows.join('')].forEach((glyph, at) => (examples.labels[n * perPicture + at] = GLYPHS.indexOf(glyph)));
}
console.log(`${examples.labels.length} cells`);
const network = trained(examples, { inputs: CELL.pixels, hidden: 72, glyphs: GLYPHS }, epochs);
const file = 'libs/document-reading/src/mrz/ocr-b-network.ts';
const lines = [
  "import type { PackedNetwork } from './glyph-network.ts';",
  '',
  '/** Generated by glyphs/ocr-b.ts from the outlines of fonts/OCRB.otf; do not edit. */',
  `export const OCR_B_NETWORK: PackedNetwork = ${JSON.stringify(packed(network))};`,
  '',
];
fs.writeFileSync(file, lines.join('\n'));
spawnSync('node_modules/.bin/prettier', ['--write', file]);
console.log(`${file}: ${Math.round(fs.statSync(file).size / 1024)} KB`);
