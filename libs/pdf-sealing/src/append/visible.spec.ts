import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool, seal, signatureRoom } from '../index.ts';
import type { PlacedDrawing, Sealer } from '../index.ts';
import { hasMupdf, mupdfPixels, mupdfText } from '../mupdf.fixture.ts';
import { testKey, testSealer } from '../pades/prepared-seal.fixture.ts';
import { pixelsOf, qpdfCheck, readers, textOf, validSignatures } from '../poppler.fixture.ts';
import { BROKEN_CONTENTS, pageOf, REFUSED_CONTENTS } from './broken-pages.fixture.ts';

/** Public PDFs of many producers, next to the repository and never in it. */
const FOLDER = sharedPath('pdfs', 'py-pdf') ?? '';
/** Encrypted, damaged, or with a page that is smaller than a letter. */
const LEFT_OUT = /password|unreadable|^imagemagick-/;
const shared = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER).filter((file) => !LEFT_OUT.test(file)) : [];
const tools = readers.poppler && readers.qpdf && hasMupdf;

let pool: PdfPool;
let sealer: Sealer;
beforeAll(async () => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 20_000 });
  sealer = await testSealer(testKey());
});
afterAll(() => pool.close());

const BAR = { x: 24, y: 20, width: 60, height: 12 };
const drawings: PlacedDrawing[] = [
  { kind: 'text', key: 'a', page: 1, x: 24, y: 44, size: 10, text: 'Marcavisible' },
  { kind: 'rule', key: 'b', page: 1, ...BAR },
];
const sealed = async (pdf: Buffer, certify = true) =>
  seal(await pool.assemble(pdf, { drawings }, { fieldName: 'Seal', signatureBytes: signatureRoom(sealer, false), certify }), sealer); // prettier-ignore

/** How much of the bar is dark, 0 to 1. */
function barIn({ width, height, pixels }: { width: number; height: number; pixels: Buffer }): number {
  let dark = 0;
  for (let y = height - BAR.y - BAR.height + 2; y < height - BAR.y - 2; y++)
    for (let x = BAR.x + 2; x < BAR.x + BAR.width - 2; x++) if ((pixels[y * width + x] ?? 255) < 80) dark++;
  return dark / ((BAR.height - 4) * (BAR.width - 4));
}

function expectVisible(file: Buffer): void {
  expect(textOf(file), 'text in poppler').toContain('Marcavisible');
  expect(mupdfText(file, 1), 'text in MuPDF').toContain('Marcavisible');
  expect(barIn(pixelsOf(file, 1)), 'bar in poppler').toBeGreaterThan(0.95);
  expect(barIn(mupdfPixels(file, 1)), 'bar in MuPDF').toBeGreaterThan(0.95);
}

describe.skipIf(!tools)('what is drawn is visible in poppler and MuPDF', { timeout: 60_000 }, () => {
  it.each(Object.entries(BROKEN_CONTENTS))('behind content that %s', async (_, contents) => {
    const pdf = pageOf(contents);
    const file = await sealed(pdf);
    expect(file.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expectVisible(file);
    expect(validSignatures(file)).toBe(1);
    expect((await pool.inspect(pdf, [{ key: 'a', page: 1, x: 24, y: 44, size: 10 }])).warnings).toEqual([]);
  });

  it.each(Object.entries(BROKEN_CONTENTS).slice(0, 12))('in a second revision, behind content that %s', async (_, contents) => {
    const first = await seal(await pool.assemble(pageOf(contents), { drawings: [] }, { fieldName: 'Notary', signatureBytes: signatureRoom(sealer, false), certify: false }), sealer);
    const file = await sealed(first);
    expect(file.subarray(0, first.length).equals(first)).toBe(true);
    expectVisible(file);
    expect(validSignatures(file)).toBe(2);
  }); // prettier-ignore

  it.each(shared)('on page 1 of %s', async (name) => {
    const file = await sealed(fs.readFileSync(path.join(FOLDER, name)));
    expect(textOf(file)).toContain('Marcavisible');
    expect(mupdfText(file, 1)).toContain('Marcavisible');
    expect(barIn(pixelsOf(file, 1))).toBeGreaterThan(0.95);
    expect(barIn(mupdfPixels(file, 1))).toBeGreaterThan(0.95);
  });
});

describe('content behind which nothing would be visible in every reader', () => {
  it.each(Object.entries(REFUSED_CONTENTS))('%s: is refused, and reported by inspection', async (_, contents) => {
    const pdf = pageOf(contents);
    const sentence = /^What is drawn on page 1 would not be visible in every reader: .+\.$/;
    const refusal = await sealed(pdf).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'invalid_pdf', message: expect.stringMatching(sentence) });
    const { warnings } = await pool.inspect(pdf, [{ key: 'a', page: 1, x: 24, y: 44, size: 10 }]);
    expect(warnings).toEqual([{ code: 'invalid_pdf', detail: expect.stringMatching(sentence) }]);
  });

  it('does not keep a document from being sealed without drawings', async () => {
    const pdf = pageOf(Object.values(REFUSED_CONTENTS)[0] as Parameters<typeof pageOf>[0]);
    const prepared = await pool.assemble(pdf, { drawings: [] }, { fieldName: 'Seal', signatureBytes: 1_024 });
    expect(prepared.bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
    if (readers.qpdf) expect(qpdfCheck(prepared.bytes).code).toBeLessThanOrEqual(qpdfCheck(pdf).code);
  });
});
