import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppendedPage, PdfPool, seal, signatureRoom } from './index.ts';
import type { Sealer } from './index.ts';
import { compressedPdf, hybridPdf, pagesPdf } from './made-pdf.fixture.ts';
import { testKey, testSealer } from './pades/prepared-seal.fixture.ts';
import { greyPng } from './png.fixture.ts';
import { pixelsOf, qpdfCheck, readers, textOf, validSignatures, wordsOf } from './poppler.fixture.ts';

const tools = readers.qpdf && readers.poppler;
let pool: PdfPool;
let sealer: Sealer;
beforeAll(async () => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  sealer = await testSealer(testKey());
});
afterAll(() => pool.close());

/** A finder pattern of a QR code. */
const FINDER = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
const CERTIFICATE: AppendedPage = {
  width: 612,
  height: 792,
  drawings: [
    { kind: 'text', key: 'title', x: 72, y: 700, size: 18, text: 'Certificado de finalización', face: 'bold' },
    { kind: 'rule', key: 'rule', x: 72, y: 690, width: 468, height: 1, colour: [0.2, 0.2, 0.2] },
    { kind: 'text_box', key: 'signer', x: 72, y: 640, width: 300, height: 40, lines: 3, size: 10, from: 'top', lenient: true, text: 'Łukasz Ñáñez, firmó el 21 de noviembre de 2026 a las 15:04:07 UTC desde 203.0.113.7' },
    { kind: 'modules', key: 'qr', x: 440, y: 500, width: 70, height: 70, rows: FINDER },
    { kind: 'image', key: 'sign', x: 72, y: 500, width: 50, height: 50, bytes: greyPng([[[0, 255]]]) },
    { kind: 'checkmark', key: 'done', x: 72, y: 400, width: 20, height: 20 },
  ],
}; // prettier-ignore
const PLACED = { kind: 'text', key: 'a', page: 1, x: 20, y: 20, size: 10, text: 'Marca' } as const;

async function sealed(pdf: Buffer, pages: AppendedPage[], drawings: (typeof PLACED)[] = [PLACED]): Promise<Buffer> {
  const options = { fieldName: 'Seal', signatureBytes: signatureRoom(sealer, false), certify: false };
  return seal(await pool.assemble(pdf, { drawings, pages }, options), sealer);
}

function qpdf(pdf: Buffer, ...options: string[]): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pages-'));
  const [from, to] = [path.join(folder, 'in.pdf'), path.join(folder, 'out.pdf')];
  fs.writeFileSync(from, pdf);
  execFileSync('qpdf', [...options, from, to]);
  const bytes = fs.readFileSync(to);
  fs.rmSync(folder, { recursive: true });
  return bytes;
}

/** Pages 400 by 300 with a word each, in a tree of three branches whose boxes, rotation and resources are inherited. */
const nested = () => {
  const made = pagesPdf([])
    .object(
      2,
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 3 /MediaBox [50 60 450 360] /CropBox [50 60 250 160] /Rotate 90 /Resources 8 0 R >>',
    )
    .object(3, '<< /Type /Pages /Parent 2 0 R /Kids [5 0 R] /Count 1 >>')
    .object(4, '<< /Type /Pages /Parent 2 0 R /Kids [6 0 R 7 0 R] /Count 2 >>')
    .object(8, '<< /Font << /SealBold-0 9 0 R >> >>')
    .object(9, '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>');
  [5, 6, 7].forEach((number, nth) =>
    made
      .object(number, `<< /Type /Page /Parent ${nth === 0 ? 3 : 4} 0 R /Contents ${number + 10} 0 R >>`)
      .stream(number + 10, `BT /SealBold-0 10 Tf 60 70 Td (own${nth}) Tj ET`),
  );
  return made;
};

const kinds: [string, number, () => Promise<Buffer> | Buffer][] = [
  ['a cross-reference table', 1, () => pagesPdf().bytes()],
  ['a cross-reference stream', 1, () => compressedPdf()],
  ['a hybrid of both', 1, () => hybridPdf()],
  ['nested pages that inherit everything', 3, () => nested().bytes()],
  ['nested pages in object streams', 3, () => qpdf(nested().bytes(), '--object-streams=generate')],
  ['linearised pages', 3, () => qpdf(nested().bytes(), '--linearize')],
  ['kids by reference', 1, () => pagesPdf().object(2, '<< /Type /Pages /Kids 30 0 R /Count 31 0 R >>').object(30, '[10 0 R]').object(31, '1').bytes()],
  ['60 pages', 60, async () => { const document = await PDFDocument.create(); for (let nth = 0; nth < 60; nth++) document.addPage(); return Buffer.from(await document.save()); }],
  ['a lying page count', 2, () => Buffer.from(pagesPdf(['/MediaBox [0 0 99 99]', '/MediaBox [0 0 99 99]']).bytes().toString('latin1').replace('/Count 2', '/Count 7'), 'latin1')],
  ['a page tree in the catalog itself', 1, () => pagesPdf().object(1, '<< /Type /Catalog /Pages << /Type /Pages /Kids [10 0 R] /Count 1 >> >>').bytes()],
]; // prettier-ignore

describe.skipIf(!tools)('pages behind a template with', () => {
  it.each(kinds)('%s', { timeout: 30_000 }, async (name, own, make) => {
    const template = await make();
    const file = await sealed(template, [CERTIFICATE, { width: 300, height: 200, drawings: [] }]);
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    expect(validSignatures(file)).toBe(1);
    const damaged = /lying|itself/.test(name);
    expect(file.subarray(0, template.length).equals(template)).toBe(!damaged);

    const { words, pages } = wordsOf(file);
    expect(pages).toHaveLength(own + 2);
    expect(pages[own]).toEqual({ width: 612, height: 792 });
    expect(pages[own + 1]).toEqual({ width: 300, height: 200 });
    const title = words.filter(({ page }) => page === own + 1).slice(0, 3);
    expect(title.map(({ text }) => text)).toEqual(['Certificado', 'de', 'finalización']);
    expect(title[0]?.left).toBeCloseTo(72, 0);
    expect([(title[0]?.bottom ?? 0) < 700, (title[0]?.top ?? 0) > 700]).toEqual([true, true]);
    const before = textOf(template).split('\f').slice(1, own);
    expect(textOf(file).split('\f').slice(1, own)).toEqual(before);
    expect(words.some(({ page, text }) => page === 1 && text === 'Marca')).toBe(true);

    const { width, height, pixels } = pixelsOf(file, own + 1);
    expect([width, height]).toEqual([612, 792]);
    const dark = (x: number, y: number) => (pixels[(792 - y) * width + x] as number) < 128;
    const rows = FINDER.map((row, nth) =>
      [...row].map((_, at) => (dark(445 + at * 10, 565 - nth * 10) ? '1' : '0')).join(''),
    );
    expect(rows).toEqual(FINDER);
    expect([dark(97, 525), dark(130, 525), dark(300, 691), dark(300, 695)]).toEqual([true, false, true, false]);
  });

  it('again and again: each earlier signature stays valid over its own revision', { timeout: 30_000 }, async () => {
    let file = nested().bytes();
    for (let nth = 1; nth <= 3; nth++) {
      file = await sealed(file, [CERTIFICATE], []);
      expect(validSignatures(file)).toBe(nth);
      expect(qpdfCheck(file)).toMatchObject({ code: 0 });
      expect(wordsOf(file).pages).toHaveLength(3 + nth);
    }
  });
});

describe('pages behind a template', { timeout: 30_000 }, () => {
  it('are drawn on like any page of it in a later revision', async () => {
    const first = await pool.draw(pagesPdf().bytes(), { drawings: [], pages: [CERTIFICATE] });
    const second = await pool.draw(first, { drawings: [{ ...PLACED, page: 2 }] });
    expect(second.subarray(0, first.length).equals(first)).toBe(true);
    if (readers.poppler) expect(textOf(second).split('\f')[1]).toContain('Marca');
  });

  it('are refused by the key of what does not fit, and the number of the page', async () => {
    const page = (drawings: AppendedPage['drawings']) =>
      pool.draw(pagesPdf().bytes(), { drawings: [], pages: [{ width: 200, height: 200, drawings }] });
    await expect(page([{ kind: 'text', key: 'k', x: 150, y: 20, size: 20, text: 'far too long' }])).rejects.toMatchObject({ code: 'text_overflow', message: expect.stringContaining('"k" leaves appended page 1 at the right') }); // prettier-ignore
    await expect(page([{ kind: 'rule', key: 'k', x: 150, y: 20, width: 90, height: 1 }])).rejects.toMatchObject({ code: 'placeholder_outside_page', message: expect.stringContaining('"k" leaves appended page 1') }); // prettier-ignore
  });

  it.each([
    ['no size', { width: 0, height: 5 }],
    ['more than readers take', { width: 20_000, height: 5 }],
    ['a size that is no number', { width: Number.NaN, height: 5 }],
  ])('with %s are refused', async (_, size) => {
    await expect(
      pool.draw(pagesPdf().bytes(), { drawings: [], pages: [{ ...size, drawings: [] }] }),
    ).rejects.toMatchObject({ code: 'placeholder_outside_page' });
  });

  it.skipIf(!tools)('stand behind 3,000 kids, and behind a tree 150 deep', { timeout: 60_000 }, async () => {
    const flat = pagesPdf(Array.from({ length: 3_000 }, () => '/MediaBox [0 0 9 9]')).bytes();
    const deep = pagesPdf([]);
    for (let level = 0; level < 150; level++)
      deep.object(
        level + 2,
        `<< /Type /Pages ${level ? `/Parent ${level + 1} 0 R` : ''} /Count 1 /Kids [${level + 3} 0 R] >>`,
      );
    deep.object(152, '<< /Type /Page /Parent 151 0 R /MediaBox [0 0 99 99] >>');
    for (const [pdf, count] of [
      [flat, 3_000],
      [deep.bytes(), 1],
    ] as const) {
      const file = await pool.draw(pdf, { drawings: [], pages: [CERTIFICATE] });
      expect(file.subarray(0, pdf.length).equals(pdf)).toBe(true);
      expect(qpdf(file, '--pages', '.', `${count + 1}`, '--').length).toBeGreaterThan(1_000);
    }
  });

  it('are not appended by the thousand', async () => {
    const pages = Array.from({ length: 501 }, () => ({ width: 9, height: 9, drawings: [] }));
    await expect(pool.draw(pagesPdf().bytes(), { drawings: [], pages })).rejects.toMatchObject({ code: 'too_complex' });
  });
});

it.skipIf(!tools)('a banner stands at the top of each page as it is shown, cut where it does not fit', async () => {
  const small = [
    '/MediaBox [0 0 400 300] /Rotate 90',
    '/MediaBox [100 100 500 400] /CropBox [150 150 450 350]',
    '/MediaBox [0 0 40 30]',
  ];
  const drawn = await pool.draw(pagesPdf(small).bytes(), {
    drawings: [],
    banner: ['COPIA, NO FINAL', 'COPY, NOT FINAL'],
  });
  expect(qpdfCheck(drawn)).toMatchObject({ code: 0 });
  const { words, pages } = wordsOf(drawn);
  for (const page of [1, 2]) {
    const top = words.filter((word) => word.page === page && word.text === 'COPIA,');
    expect(top).toHaveLength(1);
    expect((pages[page - 1]?.height ?? 0) - (top[0]?.top ?? 0)).toBeLessThan(11);
  }
  expect(words.some(({ page }) => page === 3)).toBe(true);
});
