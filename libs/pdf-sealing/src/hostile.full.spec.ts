import { deflateSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailureCode, PdfPool, SealingFailure } from './index.ts';
import { compressedPdf, MadePdf, pagesPdf } from './made-pdf.fixture.ts';
import { qpdfCheck, readers, textOf } from './poppler.fixture.ts';

const DEADLINE_MS = 8_000;
const PLACE = [{ key: 'a', page: 1, x: 20, y: 20, size: 10 }];
const MARK = { a: 'Marca' };
const MB = 1024 * 1024;

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 2, memoryMb: 384, deadlineMs: DEADLINE_MS });
});
afterAll(() => pool.close());

/** The failure code, or 'sealed' for a file that another program finds the mark in. */
async function outcome(pdf: Buffer): Promise<FailureCode | 'sealed'> {
  const startedAt = performance.now();
  const ended = await pool.fill(pdf, PLACE, MARK).catch((error: unknown) => error);
  expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS + 4_000);
  if (ended instanceof SealingFailure) {
    expect(ended.message).toMatch(/^[A-Z].*\.$/);
    return ended.code;
  }
  expect(ended).toBeInstanceOf(Buffer);
  if (readers.poppler) expect(textOf(ended as Buffer)).toContain('Marca');
  return 'sealed';
}

const bomb = (megabytes: number, filling = '0 ') => deflateSync(Buffer.alloc(megabytes * MB, filling), { level: 9 });

function bombPdf(dictionary: string, megabytes: number): Buffer {
  return pagesPdf().stream(20, bomb(megabytes), `${dictionary} /Filter /FlateDecode`).bytes();
}

/** A page tree whose every branch names the next one ten times: 10^depth pages in a few hundred bytes. */
function exponentialTree(depth: number): Buffer {
  const made = new MadePdf().object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  for (let level = 0; level < depth; level++)
    made.object(2 + level, `<< /Type /Pages /Count 9 /Kids [${`${level + 3} 0 R `.repeat(10)}] >>`);
  return made.object(2 + depth, '<< /Type /Page /MediaBox [0 0 99 99] >>').bytes();
}

function deepTree(depth: number): Buffer {
  const made = new MadePdf().object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  for (let level = 0; level < depth; level++)
    made.object(2 + level, `<< /Type /Pages /Count 1 /Kids [${level + 3} 0 R] >>`);
  return made.object(2 + depth, '<< /Type /Page /MediaBox [0 0 595 842] >>').bytes();
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

describe('a hostile or broken file ends in a document or a typed failure, in time', () => {
  const files: [string, () => Buffer, (FailureCode | 'sealed')[]][] = [
    ['nothing', () => Buffer.alloc(0), ['invalid_pdf']],
    ['text', () => Buffer.from('This is not a PDF.'), ['invalid_pdf']],
    ['a header alone', () => Buffer.from('%PDF-1.7\n'), ['invalid_pdf']],
    ['zeros after a header', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MB)]), ['invalid_pdf']],
    ['no pages', () => pagesPdf([]).bytes(), ['invalid_pdf']],
    ['no page tree', () => new MadePdf().object(1, '<< /Type /Catalog >>').bytes(), ['invalid_pdf']],
    ['no catalog', () => new MadePdf().object(2, '<< /Type /Pages /Kids [] >>').bytes(), ['invalid_pdf']],
    ['a catalog that is a number', () => new MadePdf().object(1, '42').bytes(), ['invalid_pdf']],
    ['kids that are numbers', () => pagesPdf().object(2, '<< /Type /Pages /Kids [1 2 3] >>').bytes(), ['invalid_pdf']],
    [
      'a page tree that runs in a circle',
      () => pagesPdf().object(2, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>').bytes(),
      ['invalid_pdf'],
    ],
    [
      'a longer circle',
      () =>
        pagesPdf()
          .object(2, '<< /Type /Pages /Kids [3 0 R] >>')
          .object(3, '<< /Type /Pages /Kids [4 0 R] >>')
          .object(4, '<< /Type /Pages /Kids [2 0 R 10 0 R] >>')
          .bytes(),
      ['invalid_pdf'],
    ],
    ['a parent that is the page itself', () => pagesPdf().object(10, '<< /Type /Page /Parent 10 0 R >>').bytes(), ['sealed']],
    ['references in a circle', () => pagesPdf().object(10, '10 0 R').bytes(), ['invalid_pdf', 'too_complex', 'internal']],
    ['a tree of 10^12 pages', () => exponentialTree(12), ['too_complex']],
    ['a tree 150 deep', () => deepTree(150), ['sealed']],
    ['a tree 50,000 deep', () => deepTree(50_000), ['too_complex']],
    ['a lying page count', () => pagesPdf(['/MediaBox [0 0 595 842]'], '/Count 999999999').bytes(), ['sealed']],
    ['100,000 pages', () => pagesPdf(Array.from({ length: 100_000 }, () => '/MediaBox [0 0 9 9]')).bytes(), ['too_complex', 'placeholder_outside_page']],
    ['arrays 200,000 deep', () => pagesPdf().object(5, nested('[', ']', 200_000)).bytes(), ['too_complex']],
    ['arrays 300 deep', () => pagesPdf().object(5, nested('[', ']', 300)).bytes(), ['too_complex']],
    ['arrays 200 deep', () => pagesPdf().object(5, nested('[', ']', 200)).bytes(), ['sealed']],
    ['dictionaries 100,000 deep', () => pagesPdf().object(5, nested('<</A ', '>>', 100_000)).bytes(), ['too_complex']],
    ['parentheses 500,000 deep', () => pagesPdf().object(5, nested('(', ')', 500_000)).bytes(), ['sealed', 'too_complex']],
    ['unclosed arrays', () => pagesPdf().object(5, '['.repeat(100_000)).bytes(), ['too_complex', 'invalid_pdf', 'sealed']],
    ['an object stream of 1 GB', () => bombPdf('/Type /ObjStm /N 1 /First 4', 1024), ['too_complex']],
    ['an object stream of 65 MB', () => bombPdf('/Type /ObjStm /N 1 /First 4', 65), ['too_complex']],
    ['a page content of 256 MB', () => pagesPdf(['/MediaBox [0 0 595 842] /Contents 20 0 R']).stream(20, bomb(256, ' '), '/Filter /FlateDecode').bytes(), ['sealed']],
    ['many object streams', () => { const made = pagesPdf(); for (let n = 20; n < 60; n++) made.stream(n, bomb(30), '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'); return made.bytes(); }, ['too_complex']],
    ['an object stream that claims 10^9 objects', () => pagesPdf().stream(20, '1 0 2 0', '/Type /ObjStm /N 1000000000 /First 4').bytes(), ['too_complex']],
    ['an object stream inflated twice', () => pagesPdf().stream(20, deflateSync(bomb(200)), '/Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode]').bytes(), ['too_complex', 'sealed', 'invalid_pdf']],
    ['an LZW object stream of rubbish', () => pagesPdf().stream(20, Buffer.alloc(100_000, 0x80), '/Type /ObjStm /N 1 /First 4 /Filter /LZWDecode').bytes(), ['sealed', 'too_complex']],
    ['a good cross-reference stream', () => compressedPdf(), ['sealed']],
    ['/W of a thousand million bytes', () => compressedPdf({ w: '[1 1000000000 1]' }), ['too_complex']],
    ['/W with four fields', () => compressedPdf({ w: '[1 2 1 9]' }), ['too_complex']],
    ['negative /W', () => compressedPdf({ w: '[1 -2 1]' }), ['too_complex']],
    ['/W that is missing', () => compressedPdf({ w: 'null' }), ['sealed', 'invalid_pdf']],
    ['/Index of 10^12 entries', () => compressedPdf({ index: '/Index [0 1000000000000]' }), ['too_complex']],
    ['/Size of 10^12', () => compressedPdf({ size: 1e12 }), ['too_complex']],
    ['an object stream of five million values', () => compressedPdf({ objects: `1 0 ${' '.repeat(20)}[${'0 '.repeat(5_000_000)}]` }), ['too_complex', 'invalid_pdf']],
    ['digits without end', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2 * MB, '1'), Buffer.from('\nstartxref\n0\n%%EOF')]), ['too_complex', 'invalid_pdf']],
    ['spaces without end', () => Buffer.concat([pagesPdf().bytes().subarray(0, -6), Buffer.alloc(5 * MB, ' '), Buffer.from('%%EOF\n')]), ['sealed', 'invalid_pdf']],
    ['comments without end', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5 * MB, '%\n'), pagesPdf().bytes().subarray(9)]), ['sealed']],
    ['a name of 5 MB', () => pagesPdf().object(5, `/${'a'.repeat(5 * MB)}`).bytes(), ['sealed', 'too_complex']],
    ['an impossible object number', () => Buffer.from(pagesPdf().object(5, 'null').bytes().toString('latin1').replace('5 0 obj', '99999999999999 0 obj'), 'latin1'), ['invalid_pdf']],
    ['a wrong /Length', () => pagesPdf(['/MediaBox [0 0 595 842] /Contents 20 0 R']).object(20, '<< /Length 99999999 >>\nstream\n0 g\nendstream').bytes(), ['sealed']],
    ['a negative /Length', () => pagesPdf(['/MediaBox [0 0 595 842] /Contents 20 0 R']).object(20, '<< /Length -5 >>\nstream\n0 g\nendstream').bytes(), ['sealed', 'invalid_pdf']],
    ['a stream without an end', () => pagesPdf().object(20, '<< /Length 5 >>\nstream\nabc').bytes(), ['sealed', 'invalid_pdf']],
    ['missing endobj', () => Buffer.from(pagesPdf().bytes().toString('latin1').replaceAll('endobj', '      '), 'latin1'), ['sealed']],
    ['twice the same object', () => Buffer.concat([pagesPdf(['/MediaBox [0 0 9 9]']).bytes(), pagesPdf().bytes().subarray(15)]), ['sealed']],
    ['a page in two generations', () => Buffer.from(pagesPdf().bytes().toString('latin1').replace('10 0 obj', '10 1 obj').replace('[10 0 R]', '[10 1 R]'), 'latin1'), ['sealed']],
    ['no boxes at all', () => pagesPdf(['']).bytes(), ['sealed']],
    ['a box of letters', () => pagesPdf(['/MediaBox [(a) /b null 4]']).bytes(), ['sealed']],
    ['an empty box', () => pagesPdf(['/MediaBox [0 0 0 0]']).bytes(), ['sealed']],
    ['a rotation by 45 degrees', () => pagesPdf(['/MediaBox [0 0 595 842] /Rotate 45']).bytes(), ['sealed']],
    ['resources that are a number', () => pagesPdf(['/MediaBox [0 0 595 842] /Resources 7 /Contents (x)']).bytes(), ['sealed']],
    ['fonts that are an array', () => pagesPdf(['/MediaBox [0 0 595 842] /Resources << /Font [1 2] >>']).bytes(), ['sealed']],
    ['more than 25 MB', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(25 * MB), pagesPdf().bytes()]), ['too_complex']],
  ]; // prettier-ignore

  it.each(files)('%s', { timeout: 30_000 }, async (_, make, expected) => {
    expect(expected).toContain(await outcome(make()));
  });

  it('the pool is as good as new afterwards', async () => {
    expect(await outcome(pagesPdf().bytes())).toBe('sealed');
  });
});

describe('a file that was cut', () => {
  it.each([
    ['with a cross-reference table', async () => pagesPdf().stream(20, 'x'.repeat(500)).bytes()],
    ['with a cross-reference stream', async () => compressedPdf()],
    [
      'of two revisions',
      async () => Buffer.concat([pagesPdf().bytes(), pagesPdf(['/MediaBox [0 0 200 200]']).bytes().subarray(15)]),
    ],
  ])('%s anywhere is refused', { timeout: 60_000 }, async (_, make) => {
    const whole = await make();
    for (let cut = 1; cut < whole.length; cut += 13) {
      const rest = whole.toString('latin1', 0, cut).split('startxref').at(-1) as string;
      const result = await outcome(whole.subarray(0, cut));
      // Where a revision has just ended, or lacks no more than its last mark, the file is whole.
      const mayBeWhole = /^\s+\d+\s+(%%?E?O?F?$|%%EOF\s)/.test(rest) && !rest.includes(' obj');
      expect([cut, result]).toEqual([cut, mayBeWhole ? expect.stringMatching(/sealed|invalid_pdf/) : 'invalid_pdf']);
    }
  });
});

describe.skipIf(!readers.qpdf)('an encrypted file', () => {
  it.each([
    ['a password to open it', ['--encrypt', 'user', 'owner', '256', '--']],
    ['restrictions only', ['--encrypt', '', 'owner', '256', '--']],
    ['RC4 of 40 bits', ['--allow-weak-crypto', '--encrypt', '', 'owner', '40', '--']],
    ['RC4 of 128 bits', ['--allow-weak-crypto', '--encrypt', 'user', 'owner', '128', '--use-aes=n', '--']],
    ['object streams', ['--object-streams=generate', '--encrypt', 'user', 'owner', '256', '--']],
    ['clear metadata', ['--encrypt', '', 'owner', '256', '--cleartext-metadata', '--']],
  ])('with %s is named as such', async (_, options) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pdf-'));
    const [plain, encrypted] = [path.join(folder, 'plain.pdf'), path.join(folder, 'encrypted.pdf')];
    fs.writeFileSync(plain, pagesPdf().bytes());
    const { status, stderr } = spawnSync('qpdf', [...options, plain, encrypted], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const pdf = fs.readFileSync(encrypted);
    fs.rmSync(folder, { recursive: true });
    expect(await outcome(pdf)).toBe('encrypted_pdf');
    expect(await pool.inspect(pdf, PLACE)).toMatchObject({ pageCount: null, warnings: [{ code: 'encrypted_pdf' }] });
  });
});

describe.skipIf(!readers.qpdf)('what comes out', () => {
  it('is clean for every kind of clean file', async () => {
    const library = await PDFDocument.create();
    library.addPage([595, 842]).drawText('stream endstream obj', { x: 50, y: 50 });
    const files = {
      table: pagesPdf().bytes(),
      compressed: compressedPdf(),
      'pdf-lib': Buffer.from(await library.save({ useObjectStreams: false })),
      'length by reference, with the word stream in the content': pagesPdf(['/MediaBox [0 0 595 842] /Contents 20 0 R'])
        .object(20, '<< /Length 21 0 R >>\nstream\nBT (upstream) pop ET % stream stream\nendstream')
        .object(21, '35')
        .bytes(),
      'a page that is there twice': pagesPdf().object(2, '<< /Type /Pages /Kids [10 0 R 10 0 R] /Count 2 >>').bytes(),
    };
    for (const [name, pdf] of Object.entries(files)) {
      const before = qpdfCheck(pdf);
      const after = qpdfCheck(await pool.fill(pdf, PLACE, { a: 'Łódź' }));
      expect([name, after.code, after.output]).toEqual([name, Math.min(before.code, after.code), after.output]);
    }
  });
});

describe('inspection', () => {
  it('counts the pages and warns of what lies outside them', async () => {
    const pdf = pagesPdf(['/MediaBox [0 0 100 200]', '/MediaBox [0 0 100 200] /Rotate 90']).bytes();
    const report = await pool.inspect(pdf, [
      { key: 'ok', page: 2, x: 150, y: 50, size: 10 },
      { key: 'right', page: 1, x: 150, y: 50, size: 10 },
      { key: 'late', page: 3, x: 1, y: 1, size: 10 },
    ]);
    expect(report.pageCount).toBe(2);
    expect(report.warnings.map(({ code, detail }) => [code, /"(\w+)"/.exec(detail)?.[1]])).toEqual([
      ['placeholder_outside_page', 'right'],
      ['placeholder_outside_page', 'late'],
    ]);
  });

  it('warns of JavaScript, XFA and earlier signatures', async () => {
    const pdf = pagesPdf()
      .object(
        1,
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AcroForm << /Fields [] /XFA (x) >> >>',
      )
      .object(5, '<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>')
      .bytes();
    const { warnings } = await pool.inspect(pdf, []);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(
      new Set(['has_javascript', 'has_automatic_action', 'has_xfa', 'already_signed']),
    );
  });

  it('never fails over a file, however hostile', async () => {
    for (const pdf of [Buffer.alloc(0), exponentialTree(12), bombPdf('/Type /ObjStm /N 1 /First 4', 200)]) {
      const report = await pool.inspect(pdf, PLACE);
      expect(report).toMatchObject({ pageCount: null, warnings: [{ code: 'invalid_pdf' }] });
    }
  });
});
