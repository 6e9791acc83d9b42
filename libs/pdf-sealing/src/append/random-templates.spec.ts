import fc from 'fast-check';
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool, valuesAt } from '../index.ts';
import { qpdfCheck, readers, wordsOf } from '../poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const TURNS = [0, 90, 180, 270];
const SIZE = 10;

const page = fc.record({
  left: fc.integer({ min: -300, max: 300 }),
  bottom: fc.integer({ min: -300, max: 300 }),
  width: fc.integer({ min: 300, max: 900 }),
  height: fc.integer({ min: 300, max: 900 }),
  turn: fc.constantFrom(...TURNS),
  text: fc.boolean(),
});
const template = fc.record({
  pages: fc.array(page, { minLength: 1, maxLength: 4 }),
  objectStreams: fc.boolean(),
  form: fc.boolean(),
  /** Pages to append. */
  appended: fc.nat({ max: 3 }),
  /** Revisions that the template has already. */
  revisions: fc.integer({ min: 0, max: 2 }),
});
const placeholder = fc.record({
  page: fc.nat({ max: 3 }),
  x: fc.integer({ min: 5, max: 200 }),
  /** In lines, so that values do not cover each other. */
  line: fc.nat({ max: 17 }),
  value: fc.constantFrom('Ñandú', 'Łódź', 'Київ', 'plain', 'a(b)c\\'),
});

type Template = typeof template extends fc.Arbitrary<infer T> ? T : never;

async function made({ pages, objectStreams, form }: Template): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  for (const { left, bottom, width, height, turn, text } of pages) {
    const added = document.addPage();
    added.setMediaBox(left, bottom, width, height);
    added.setRotation(degrees(turn));
    if (text) added.drawText('own', { x: left + 250, y: bottom + 280, size: 8, font });
  }
  if (form) document.getForm().createTextField('Seal').addToPage(document.getPage(0), { x: -1000, y: -1000 });
  return Buffer.from(await document.save({ useObjectStreams: objectStreams }));
}

describe.skipIf(!readers.qpdf || !readers.poppler)('a random template', () => {
  it('shows random values at their places, clean, behind its own bytes', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(template, fc.uniqueArray(placeholder, { maxLength: 8, selector: ({ line }) => line }), check),
      { numRuns: 40 },
    );
  });
});

async function check(random: Template, values: (typeof placeholder extends fc.Arbitrary<infer T> ? T : never)[]) {
  let pdf = await made(random);
  for (let nth = 0; nth < random.revisions; nth++) pdf = await filled(pdf, [{ key: 'r', page: 1, x: 5, y: 270 + nth * 12, size: SIZE }], { r: `rev${nth}` }); // prettier-ignore
  const places = values.map(({ page, x, line }, nth) => ({
    key: `k${nth}`,
    page: (page % random.pages.length) + 1,
    x,
    y: 10 + line * 14,
    size: SIZE,
  }));
  const drawings = valuesAt(places, Object.fromEntries(values.map(({ value }, nth) => [`k${nth}`, value])));
  const pages = Array.from({ length: random.appended }, (_, nth) => ({
    width: 200 + nth,
    height: 300,
    drawings: [
      {
        kind: 'text_box' as const,
        key: 'p',
        x: 10,
        y: 200,
        width: 180,
        height: 40,
        size: 14,
        text: `Anexo${nth} Łódź`,
      },
    ],
  }));
  const { bytes: file } = await pool.assemble(pdf, { drawings, pages }, { fieldName: 'Seal', signatureBytes: 64 });
  expect(file.subarray(0, pdf.length).equals(pdf)).toBe(true);
  expect(qpdfCheck(file)).toMatchObject({ code: 0 });
  const seen = [false, true].map((turned) => wordsOf(file, turned).words);
  const own = random.pages.length;
  const shown = wordsOf(file).pages;
  expect(shown.slice(own).map(({ width }) => width)).toEqual(pages.map(({ width }) => width));
  pages.forEach((_, nth) => {
    const words = (seen[0] as (typeof seen)[0]).filter(({ page }) => page === own + nth + 1);
    expect(words.map(({ text }) => text)).toEqual([`Anexo${nth}`, 'Łódź']);
    for (const { left, bottom, top } of words) expect([left > 9, bottom > 199, top < 241]).toEqual([true, true, true]);
  });
  places.forEach(({ page, x, y }, nth) => {
    const turned = (random.pages[page - 1] as { turn: number }).turn % 180 !== 0;
    const words = (seen[Number(turned)] as (typeof seen)[0]).filter((word) => word.page === page);
    const value = (values[nth] as { value: string }).value;
    const word = words.find(({ text, bottom, top }) => text === value && bottom < y && top > y);
    expect(word, `${value} at ${x}, ${y} on page ${page}`).toBeDefined();
    expect(Math.abs((word as { left: number }).left - x)).toBeLessThan(0.8);
  });
}

async function filled(pdf: Buffer, places: Parameters<PdfPool['fill']>[1], values: Record<string, string>) {
  const { bytes } = await pool.prepare(pdf, places, values, { fieldName: 'Seal', signatureBytes: 64, certify: false });
  expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
  return bytes;
}
