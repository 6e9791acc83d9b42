import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool, seal, signatureRoom } from './index.ts';
import type { Additions, Sealer } from './index.ts';
import { pagesPdf } from './made-pdf.fixture.ts';
import { hasMupdf, mupdfShow } from './mupdf.fixture.ts';
import { preparedSeal, testKey, testSealer } from './pades/prepared-seal.fixture.ts';
import { qpdfCheck, readers, validSignatures } from './poppler.fixture.ts';

let pool: PdfPool;
let sealer: Sealer;
beforeAll(async () => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
  sealer = await testSealer(testKey());
});
afterAll(() => pool.close());

const MARK = { kind: 'text', key: 'a', page: 1, x: 20, y: 20, size: 10, text: 'Marca' } as const;
const PLACE = [{ key: 'a', page: 1, x: 20, y: 20, size: 10 }];
const NOTHING: Additions = { drawings: [] };
const room = () => signatureRoom(sealer, false);
const sealed = async (pdf: Buffer, additions: Additions, certify = true) =>
  seal(await pool.assemble(pdf, additions, { fieldName: 'Seal', signatureBytes: room(), certify }), sealer);

const reference = (method: string, parameters: string) =>
  `/Reference [<< /Type /SigRef /TransformMethod /${method} /TransformParams << /Type /TransformParams /V /1.2 ${parameters} >> >>]`;
const certified = (parameters: string, method = 'DocMDP') =>
  seal(preparedSeal(room(), reference(method, parameters)), sealer);

describe('a certified template', { timeout: 30_000 }, () => {
  it.each([
    ['permits nothing', '/P 1', 'DocMDP', 'permits no change at all'],
    ['permits forms', '/P 2', 'DocMDP', 'permits only that forms'],
    ['permits forms, by default', '', 'DocMDP', 'permits only that forms'],
    ['permits comments', '/P 3', 'DocMDP', 'permits only comments'],
    ['is locked by a signature of PDF 2.0', '/Action /All /P 1', 'FieldMDP', 'permits no change at all'],
  ])('that %s is not drawn on, and gets no pages', async (_, parameters, method, sentence) => {
    const pdf = await certified(parameters, method);
    if (readers.poppler) expect(validSignatures(pdf)).toBe(1);
    const refusal = { code: 'invalid_pdf', message: expect.stringContaining(sentence) };
    await expect(sealed(pdf, { drawings: [MARK] })).rejects.toMatchObject(refusal);
    await expect(pool.draw(pdf, { drawings: [MARK] })).rejects.toMatchObject(refusal);
    const page = { width: 99, height: 99, drawings: [] };
    await expect(sealed(pdf, { drawings: [], pages: [page] })).rejects.toMatchObject(refusal);
    const { pageCount, warnings } = await pool.inspect(pdf, PLACE);
    expect(pageCount).toBe(1);
    expect(warnings).toEqual([
      { code: 'already_signed', detail: expect.any(String) },
      { code: 'invalid_pdf', detail: expect.stringContaining(sentence) },
    ]);
  });

  it.each([2, 3])('that permits signatures (%i) is sealed when nothing is drawn, and both are valid', async (level) => {
    const pdf = await certified(`/P ${level}`);
    const file = await sealed(pdf, NOTHING);
    expect(file.subarray(0, pdf.length).equals(pdf)).toBe(true);
    if (readers.poppler) expect(validSignatures(file)).toBe(2);
    if (readers.qpdf) expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    expect((await pool.inspect(pdf, [])).warnings.map(({ code }) => code)).toEqual(['already_signed']);
  });

  it('that permits nothing is not even sealed', async () => {
    const pdf = await certified('/P 1');
    await expect(sealed(pdf, NOTHING)).rejects.toMatchObject({ code: 'invalid_pdf' });
    expect((await pool.inspect(pdf, [])).warnings.map(({ code }) => code)).toEqual(['already_signed', 'invalid_pdf']);
  });

  it.each([
    ['fields only', 'FieldMDP', '/Action /All'],
    ['usage rights', 'UR3', '/P true'],
  ])('is not what locks %s', async (_, method, parameters) => {
    const file = await sealed(await certified(parameters, method), { drawings: [MARK] });
    if (readers.poppler) expect(validSignatures(file)).toBe(2);
  });
});

describe('a signed and damaged file', { timeout: 30_000 }, () => {
  const damages: [string, (pdf: Buffer) => Buffer][] = [
    ['bytes before its header', (pdf) => Buffer.concat([Buffer.from('junk\n'), pdf])],
    ['a wrong startxref', (pdf) => Buffer.from(pdf.toString('latin1').replace(/startxref\n\d+(?![^]*startxref)/, 'startxref\n7'), 'latin1')],
    ['a table of wrong generations', (pdf) => Buffer.from(pdf.toString('latin1').replace(/^(\d{10}) 00000 n/gm, '$1 00001 n'), 'latin1')],
  ]; // prettier-ignore

  it.each(damages)('with %s is reported by inspection, refused by a seal, and not valid', async (_, damage) => {
    const pdf = damage(await sealed(pagesPdf().bytes(), { drawings: [MARK] }, false));
    const { pageCount, warnings } = await pool.inspect(pdf, PLACE);
    expect(pageCount).toBe(1);
    expect(warnings.filter(({ code }) => code !== 'header_not_first')).toEqual([
      { code: 'already_signed', detail: expect.any(String) },
      { code: 'invalid_pdf', detail: expect.stringContaining('signed and damaged') },
    ]);
    await expect(sealed(pdf, NOTHING)).rejects.toMatchObject({ code: 'invalid_pdf' });
    expect((await pool.verify(pdf)).some(({ valid }) => valid)).toBe(false);
  });

  it('whose end was cut off is refused, and not valid', async () => {
    const pdf = await sealed(pagesPdf().bytes(), { drawings: [MARK] });
    const cut = pdf.subarray(0, -40);
    expect((await pool.inspect(cut, [])).warnings).toMatchObject([{ code: 'invalid_pdf' }]);
    expect((await pool.verify(cut)).some(({ valid }) => valid)).toBe(false);
  });
});

describe('a seal', { timeout: 30_000 }, () => {
  it('certifies a document that nobody signed before, and permits no change afterwards', async () => {
    const file = await sealed(pagesPdf().bytes(), { drawings: [MARK] });
    expect(await pool.verify(file)).toMatchObject([{ valid: true, certified: true }]);
    expect(file.toString('latin1')).toMatch(/\/Perms << \/DocMDP (\d+) 0 R >>/);
    if (readers.poppler) expect(validSignatures(file)).toBe(1);
    if (readers.qpdf) expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    if (hasMupdf) expect(mupdfShow(file, 'trailer/Root/Perms/DocMDP/Reference')).toMatch(/DocMDP[^]*\/P 1\b/);
    await expect(sealed(file, NOTHING)).rejects.toMatchObject({
      code: 'invalid_pdf',
      message: expect.stringContaining('permits no change at all'),
    });
  });

  it('keeps the other permissions of the catalog', async () => {
    const pdf = pagesPdf().object(1, '<< /Type /Catalog /Pages 2 0 R /Perms << /Other 10 0 R >> >>').bytes();
    expect((await sealed(pdf, NOTHING)).toString('latin1')).toMatch(/\/Perms << \/Other 10 0 R \/DocMDP \d+ 0 R >>/);
  });

  it('approves a document that was signed before, whose signature stays valid', async () => {
    const signed = await sealed(pagesPdf().bytes(), NOTHING, false);
    const file = await sealed(signed, { drawings: [MARK] });
    expect(await pool.verify(file)).toMatchObject([{ valid: true, certified: false }, { valid: false }]);
    expect(file.includes('/Perms')).toBe(false);
    if (readers.poppler) expect(validSignatures(file)).toBe(2);
  });
});
