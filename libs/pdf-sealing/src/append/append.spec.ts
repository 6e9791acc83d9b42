import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentDigest, HashedFile, PdfPool, seal, signatureRoom } from '../index.ts';
import type { PreparedSeal } from '../index.ts';
import { compressedPdf, hybridPdf, pagesPdf } from '../made-pdf.fixture.ts';
import { testKey, testSealer } from '../pades/prepared-seal.fixture.ts';
import { pdfsig, qpdfCheck, readers, textOf, validSignatures, wordsOf } from '../poppler.fixture.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'append-'));
const at = (name: string) => path.join(folder, name);
const PLACE = [{ key: 'a', page: 1, x: 40, y: 60, size: 12 }];
const SEAL = {
  fieldName: 'Seal',
  signatureBytes: 4096,
  reason: 'Sellado (ñ)',
  signerName: 'Constancia',
  certify: false,
};
const tools = readers.qpdf && readers.poppler;

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Lab', '-days', '2', '-keyout', at('key'), '-out', at('crt')], { stdio: 'ignore' }); // prettier-ignore
});
afterAll(async () => {
  await pool.close();
  fs.rmSync(folder, { recursive: true });
});

/** Signs with openssl, which knows nothing of PDF. */
function signed({ bytes, byteRange: [a, b, c, d], contents }: PreparedSeal): Buffer {
  fs.writeFileSync(at('tbs'), Buffer.concat([bytes.subarray(a, a + b), bytes.subarray(c, c + d)]));
  const cms = execFileSync('openssl', ['cms', '-sign', '-binary', '-md', 'sha256', '-cades', '-outform', 'DER', '-in', at('tbs'), '-signer', at('crt'), '-inkey', at('key')]); // prettier-ignore
  const whole = Buffer.from(bytes);
  whole.write(cms.toString('hex'), contents.offset + 1, 'latin1');
  return whole;
}

function qpdf(pdf: Buffer, ...options: string[]): Buffer {
  fs.writeFileSync(at('in.pdf'), pdf);
  execFileSync('qpdf', [...options, at('in.pdf'), at('out.pdf')]);
  return fs.readFileSync(at('out.pdf'));
}

const withText = () =>
  pagesPdf(['/MediaBox [0 0 400 600] /Contents 20 0 R /Resources 21 0 R', '/MediaBox [0 0 400 600] /Resources 21 0 R'])
    .object(21, '<< /Font << /F1 22 0 R >> >>')
    .object(22, '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>')
    .stream(20, 'BT /F1 12 Tf 40 500 Td (Before) Tj ET');

const kinds: [string, () => Promise<Buffer> | Buffer][] = [
  ['a cross-reference table', () => withText().bytes()],
  ['an /ID and an /Info', () => withText().object(9, '<< /Title (T) >>').bytes('/ID [<AB> (c\\)d)] /Info 9 0 R')],
  ['a cross-reference stream', () => compressedPdf()],
  ['object streams by qpdf', () => qpdf(withText().bytes(), '--object-streams=generate')],
  ['object streams by pdf-lib', async () => Buffer.from(await (await PDFDocument.load(withText().bytes())).save())],
  ['a linearised table', () => qpdf(withText().bytes(), '--linearize', '--object-streams=disable')],
  ['a linearised stream', () => qpdf(withText().bytes(), '--linearize', '--object-streams=generate')],
  ['a hybrid of table and stream', () => hybridPdf()],
  ['no line end after %%EOF', () => withText().bytes().subarray(0, -1)],
  ['white space after %%EOF', () => Buffer.concat([withText().bytes(), Buffer.alloc(700, ' \0\r\n')])],
  ['a comment after %%EOF', () => Buffer.concat([withText().bytes(), Buffer.from('% that was it')])],
];

describe.skipIf(!tools)('a file with', () => {
  it.each(kinds)('%s is continued: its own bytes first, clean, signed and legible', async (name, make) => {
    const template = await make();
    expect([name, qpdfCheck(template)]).toMatchObject([name, { code: 0 }]);
    const prepared = await pool.prepare(template, PLACE, { a: 'Łódź Ñandú' }, SEAL);
    const { bytes, byteRange, contents } = prepared;
    expect(bytes.subarray(0, template.length).equals(template)).toBe(true);
    expect(byteRange).toEqual([0, contents.offset, contents.offset + contents.hexLength + 2, expect.any(Number)]);
    expect(byteRange[2] + byteRange[3]).toBe(bytes.length);
    expect(bytes.toString('latin1', contents.offset, byteRange[2])).toMatch(/^<0{8192}>$/);
    const file = signed(prepared);
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    expect(textOf(file)).toContain('Łódź Ñandú');
    expect(textOf(file)).toContain(textOf(template).trim());
    expect(pdfsig(file)).toContain('Total document signed');
    expect(validSignatures(file)).toBe(1);
  });

  it.each(kinds)('%s is continued again and again, and every signature stays valid', async (_, make) => {
    let file = await make();
    for (let nth = 1; nth <= 3; nth++) {
      const place = [{ key: 'a', page: 1, x: 40, y: 60 + nth * 20, size: 12 }];
      file = signed(await pool.prepare(file, place, { a: `Vez ${nth}` }, SEAL));
      expect(validSignatures(file)).toBe(nth);
    }
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    for (const text of ['Vez 1', 'Vez 2', 'Vez 3']) expect(textOf(file)).toContain(text);
    const names = pdfsig(file).match(/Signature Field Name: (\w+)/g);
    expect(new Set(names).size).toBe(3);
  });
});

describe.skipIf(!tools)('what the template has is kept', () => {
  const prepare = async (pdf: Buffer) => (await pool.prepare(pdf, PLACE, { a: 'Marca' }, SEAL)).bytes;
  /** The document as qpdf understands it. */
  const read = (pdf: Buffer) => {
    fs.writeFileSync(at('json.pdf'), pdf);
    const json = JSON.parse(
      execFileSync('qpdf', ['--json', at('json.pdf')], { encoding: 'utf8', maxBuffer: 1 << 26 }),
    ) as { qpdf: [unknown, Record<string, { value?: Record<string, unknown> }>] };
    const objects = json.qpdf[1];
    const value = (ref: unknown): Record<string, unknown> =>
      typeof ref === 'string' ? (objects[`obj:${ref}`]?.value as Record<string, unknown>) : (ref as never);
    const trailer = objects.trailer?.value as Record<string, unknown>;
    return { value, trailer, catalog: value(trailer['/Root']) };
  };

  it.each([
    ['direct', '<< /Fields [30 0 R] /DA (/Helv 0 Tf 0 g) /DR << /Font << >> >> /NeedAppearances true >>'],
    ['indirect', '31 0 R'],
  ])('a form, %s', async (_, form) => {
    const pdf = withText()
      .object(1, `<< /Type /Catalog /Pages 2 0 R /Lang (es) /AcroForm ${form} >>`)
      .object(30, '<< /FT /Tx /T (Seal) /V (x) /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /P 10 0 R >>')
      .object(31, '<< /Fields 32 0 R /DA (/Helv 0 Tf 0 g) /DR << /Font << >> >> /NeedAppearances true >>')
      .object(32, '[30 0 R]')
      .bytes();
    const { value, catalog } = read(await prepare(pdf));
    const kept = value(catalog['/AcroForm']);
    expect(catalog['/Lang']).toBe('u:es');
    expect(kept).toMatchObject({ '/DA': 'u:/Helv 0 Tf 0 g', '/SigFlags': 3, '/NeedAppearances': true });
    const fields = (kept['/Fields'] as string[]).map((field) => value(field)['/T']);
    expect(fields).toEqual(['u:Seal', 'u:Seal2']);
  });

  it.each([
    ['direct', '[30 0 R]'],
    ['indirect', '31 0 R'],
    ['absent', 'null'],
  ])('annotations, %s', async (kind, annotations) => {
    const pdf = pagesPdf([
      `/MediaBox [0 0 400 600] /Annots ${annotations}`,
      `/MediaBox [0 0 9 9] /Annots ${annotations}`,
    ])
      .object(30, '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >>')
      .object(31, '[30 0 R]')
      .bytes();
    const { value } = read(await prepare(pdf));
    const [first, second] = ['10 0 R', '11 0 R'].map((page) => value(page)['/Annots']);
    expect(first).toHaveLength(kind === 'absent' ? 1 : 2);
    expect(second ?? null).toEqual(kind === 'direct' ? ['30 0 R'] : kind === 'indirect' ? '31 0 R' : null);
  });

  it('the /Info, the first half of the /ID; the second half is new, and the same for the same input', async () => {
    const pdf = withText().object(9, '<< /Title (T) >>').bytes('/ID [<AB> <CD>] /Info 9 0 R');
    const [one, two] = [read(await prepare(pdf)), read(await prepare(pdf))];
    expect(one.trailer).toMatchObject({ '/Info': '9 0 R' });
    const [first, second] = one.trailer['/ID'] as string[];
    expect([first, second]).toEqual(['b:ab', expect.stringMatching(/^b:[0-9a-f]{32}$/)]);
    expect(two.trailer['/ID']).toEqual([first, second]);
  });

  it('other pages, and resources that pages share', async () => {
    const template = withText().bytes();
    const file = await prepare(template);
    expect(read(file).value('21 0 R')).toEqual(read(template).value('21 0 R'));
    expect(read(file).value('11 0 R')).toEqual(read(template).value('11 0 R'));
    const { words } = wordsOf(file);
    expect(words.map(({ page, text }) => [page, text])).toEqual([[1, 'Before'], [1, 'Marca']]); // prettier-ignore
  });

  it.each([
    ['saved and not restored', 'q 3 0 0 3 50 50 cm q 2 0 0 2 9 9 cm'],
    ['restored too often', 'Q Q 3 0 0 3 50 50 cm'],
    ['both', 'Q q Q Q 3 0 0 3 50 50 cm q q 2 0 0 2 9 9 cm'],
    ['only spoken of', '(q q \\) q) Tj /q gs % q Q\n <71> Tj q 2 0 0 2 9 9 cm'],
    ['left open in an image', 'q 2 0 0 2 9 9 cm BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI q'],
  ])('a graphics state that is %s does not move the values', async (_, content) => {
    const pdf = pagesPdf(['/MediaBox [0 0 400 600] /Contents [20 0 R 23 0 R]']);
    const file = await prepare(pdf.stream(20, content).deflated(23, '0 g').bytes());
    const [word] = wordsOf(file).words.filter(({ text }) => text === 'Marca');
    expect(word?.left).toBeCloseTo(40, 0);
    expect(word?.bottom).toBeGreaterThan(54);
    expect(word?.top).toBeLessThan(75);
  });
});

describe('a damaged file', () => {
  const damaged: [string, (pdf: Buffer) => Buffer][] = [
    ['bytes before its header', (pdf) => Buffer.concat([Buffer.from('junk\n'), pdf])],
    ['a wrong startxref', (pdf) => replaced(pdf, /startxref\n\d+/g, 'startxref\n7')],
    ['wrong generations', (pdf) => replaced(pdf, /^(\d{10}) 00000 n/gm, '$1 00001 n')],
    [
      'an offset that leads to another object',
      (pdf) => replaced(pdf, /^(\d{10} 00000 n \n)(\d{10} 00000 n \n)/m, '$2$1'),
    ],
    ['a lying page count', (pdf) => replaced(pdf, '/Count 2', '/Count 7')],
  ];

  it.skipIf(!tools).each(damaged)('with %s is rewritten, then sealed', async (_, damage) => {
    const prepared = await pool.prepare(damage(withText().bytes()), PLACE, { a: 'Marca' }, SEAL);
    const file = signed(prepared);
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    expect(textOf(file)).toMatch(/Before[^]*Marca/);
    expect(validSignatures(file)).toBe(1);
  });

  it('that is signed is refused', async () => {
    const good = signed(await pool.prepare(withText().bytes(), PLACE, { a: 'x' }, SEAL));
    for (const damage of [damaged[0], damaged[1]] as typeof damaged)
      await expect(pool.prepare(damage[1](good), PLACE, { a: 'x' }, SEAL)).rejects.toMatchObject({
        code: 'invalid_pdf',
        message: expect.stringContaining('signed and damaged'),
      });
  });
});

const replaced = (pdf: Buffer, what: RegExp | string, by: string) =>
  Buffer.from(pdf.toString('latin1').replace(what, by), 'latin1');

describe('the digest of a document', () => {
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const texts: [string, (pdf: Buffer) => Buffer][] = [
    ['that goes on from its template', (pdf) => pdf],
    ['of a template that is rewritten', (pdf) => replaced(pdf, '/Count 2', '/Count 7')],
  ];

  it.each(texts)('%s is that of its bytes, before it is sealed and afterwards', async (_, change) => {
    const known = new HashedFile(change(withText().bytes()));
    expect(known.sha256).toEqual(digestOf(known.bytes));
    const sealer = await testSealer(testKey());
    const field = { fieldName: 'Seal', signatureBytes: signatureRoom(sealer, false) };
    for (const a of ['first', 'second']) {
      const prepared = await pool.prepare(known, PLACE, { a }, field);
      expect(documentDigest(prepared)).toEqual(digestOf(prepared.bytes));
      const file = await seal(prepared, sealer);
      expect(documentDigest(prepared)).toEqual(digestOf(file));
      expect(await pool.verify(file)).toMatchObject([{ kind: 'signature', valid: true }]);
    }
  });
});

it('a template is sent to a child once, and forgotten ones are sent again', async () => {
  const small = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  const files = Array.from({ length: 3 }, (_, nth) => withText().object(40, `(${nth})`).bytes());
  for (let round = 0; round < 2; round++)
    for (const file of files) {
      const sha256 = createHash('sha256').update(file).digest('hex');
      const filled = await small.fill(file, PLACE, { a: `r${round}` }, sha256);
      expect(filled.subarray(0, file.length).equals(file)).toBe(true);
    }
  await small.close();
});
