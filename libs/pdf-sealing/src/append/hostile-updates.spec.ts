import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool, SealingFailure } from '../index.ts';
import { compressedPdf, hybridPdf, pagesPdf } from '../made-pdf.fixture.ts';
import { readers, textOf } from '../poppler.fixture.ts';

const DEADLINE_MS = 8_000;
const PLACE = [{ key: 'a', page: 1, x: 20, y: 20, size: 10 }];
const SEAL = { fieldName: 'Seal', signatureBytes: 1024 };
const MB = 1024 * 1024;

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: DEADLINE_MS });
});
afterAll(() => pool.close());

async function outcome(pdf: Buffer): Promise<string> {
  const ended = await pool.prepare(pdf, PLACE, { a: 'Marca' }, SEAL).catch((error: unknown) => error);
  if (ended instanceof SealingFailure) return ended.code;
  const { bytes } = ended as { bytes: Buffer };
  if (readers.poppler) expect(textOf(bytes)).toContain('Marca');
  return bytes.subarray(0, pdf.length).equals(pdf) ? 'continued' : 'rewritten';
}

const changed = (pdf: Buffer, what: RegExp | string, by: string) =>
  Buffer.from(pdf.toString('latin1').replace(what, by), 'latin1');
const startOf = (pdf: Buffer) => Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1'))?.[1]);
const signature = '<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>';

/** A cross-reference stream hidden in another stream's content, where no scan of the file comes by. */
function hidden(dictionary: string, content: Buffer): Buffer {
  const inner = Buffer.concat([
    Buffer.from(`50 0 obj\n<< /Type /XRef /Root 1 0 R ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const pdf = pagesPdf().stream(20, inner).bytes();
  return changed(pdf, /startxref\n\d+/, `startxref\n${pdf.indexOf('50 0 obj')}`);
}

describe('a chain of cross-reference sections that', () => {
  const files: [string, () => Buffer, string[]][] = [
    ['runs in a circle', () => { const pdf = pagesPdf().bytes(); return changed(pdf, '/Root 1 0 R ', `/Root 1 0 R /Prev ${startOf(pdf)}`); }, ['rewritten']],
    ['leads out of the file', () => pagesPdf().bytes('/Prev 999999999'), ['rewritten']],
    ['leads to before the file', () => pagesPdf().bytes('/Prev -5'), ['rewritten']],
    ['leads into an object', () => pagesPdf().bytes('/Prev 15'), ['rewritten']],
    ['leads to a name', () => pagesPdf().bytes('/Prev /Root'), ['rewritten']],
    ['names a stream that is none', () => pagesPdf().bytes('/XRefStm 15'), ['rewritten']],
    ['names a stream out of the file', () => changed(hybridPdf(), /XRefStm \d+/, 'XRefStm 9999999'), ['rewritten', 'invalid_pdf']],
    ['has the highest object number', () => changed(pagesPdf().bytes(), /\/Size \d+/, '/Size 8388607'), ['continued']],
    ['has more objects than there may be', () => changed(pagesPdf().bytes(), /\/Size \d+/, '/Size 8388608'), ['rewritten']],
    ['has too small a size', () => changed(pagesPdf().bytes(), /\/Size \d+/, '/Size 3'), ['continued']],
    ['has a table that ends too soon', () => changed(pagesPdf().bytes(), /xref\n0 11/, 'xref\n0 99'), ['rewritten']],
    ['has a table of 10^9 rows', () => changed(pagesPdf().bytes(), /xref\n0 11/, 'xref\n0 1000000000'), ['rewritten']],
    ['inflates to 1 GB', () => hidden('/Size 9 /W [1 1 1] /Filter /FlateDecode', deflateSync(Buffer.alloc(1024 * MB))), ['rewritten', 'too_complex']],
    ['claims 10^12 entries', () => hidden('/W [1 1 1] /Index [0 1000000000000]', Buffer.alloc(99)), ['rewritten', 'too_complex']],
    ['has 60 million entries of one byte', () => hidden('/Size 60000000 /W [1 0 0] /Filter /FlateDecode', deflateSync(Buffer.alloc(60 * MB))), ['rewritten', 'too_complex']],
    ['has fields of 10^9 bytes', () => hidden('/Size 9 /W [1 1000000000 1]', Buffer.alloc(99)), ['rewritten', 'too_complex']],
    ['has a predictor of 10^9 columns', () => hidden('/Size 9 /W [1 1 1] /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1000000000 >>', deflateSync(Buffer.alloc(99))), ['rewritten']],
    ['puts every object in a stream that is one of them', () => changed(compressedPdf(), /\/W \[1 2 1\]/, '/W [1 1 2]'), ['rewritten', 'invalid_pdf']],
    ['is signed and broken', () => pagesPdf().object(30, signature).bytes('/Prev 999999999'), ['invalid_pdf']],
    ['is signed and has a page without a number', () => pagesPdf().object(2, '<< /Type /Pages /Count 1 /Kids [<< /Type /Page /Parent 2 0 R >>] >>').object(30, signature).bytes(), ['invalid_pdf']],
  ]; // prettier-ignore

  it.each(files)('%s', { timeout: 30_000 }, async (_, make, expected) => {
    expect(expected).toContain(await outcome(make()));
  });
});

describe('a template with', () => {
  const catalog = (form: string) => pagesPdf().object(1, `<< /Type /Catalog /Pages 2 0 R /AcroForm ${form} >>`);
  const files: [string, () => Buffer][] = [
    ['a form that is a number', () => catalog('7').bytes()],
    ['fields that are a number', () => catalog('<< /Fields 7 >>').bytes()],
    ['fields that are themselves', () => catalog('<< /Fields 30 0 R >>').object(30, '[30 0 R 30 0 R]').bytes()],
    ['a form that is the catalog', () => catalog('1 0 R').bytes()],
    ['annotations that are a number', () => pagesPdf(['/MediaBox [0 0 99 99] /Annots 7']).bytes()],
    ['5,000 annotations', () => pagesPdf([`/MediaBox [0 0 99 99] /Annots [${'5 0 R '.repeat(5_000)}]`]).object(5, '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >>').bytes()],
    ['a content that is the page', () => pagesPdf(['/MediaBox [0 0 99 99] /Contents 10 0 R']).bytes()],
    ['a content of strings', () => pagesPdf(['/MediaBox [0 0 99 99] /Contents [(a) 7 10 0 R]']).bytes()],
    ['resources of 1 MB for 500 pages', () => pagesPdf(Array.from({ length: 500 }, () => '/MediaBox [0 0 99 99]'), `/Resources << /X (${'x'.repeat(MB)}) >>`).bytes()],
    ['an /ID that is none', () => pagesPdf().bytes('/ID 7 /Info (x)')],
    ['an /ID of numbers', () => pagesPdf().bytes('/ID [1 2]')],
  ]; // prettier-ignore

  it.each(files)('%s is continued', { timeout: 30_000 }, async (_, make) => {
    expect(await outcome(make())).toBe('continued');
  });

  it('a page that is no object of its own is rewritten', async () => {
    const kids = '[<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>]';
    expect(await outcome(pagesPdf().object(2, `<< /Type /Pages /Count 1 /Kids ${kids} >>`).bytes())).toBe('rewritten');
  });
});
