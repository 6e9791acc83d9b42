import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool } from './index.ts';
import { qpdfCheck, readers, textOf } from './poppler.fixture.ts';

/** Public PDFs of many producers, beside the repository and never in it. */
const FOLDER = sharedPath('pdfs', 'py-pdf') ?? '';
const files = FOLDER ? fs.readdirSync(FOLDER).filter((file) => file.endsWith('.pdf')) : [];
if (files.length === 0) console.log('skipped: ../shared/pdfs is not here');

/** The others are sealed. */
const REFUSED: Record<string, string> = {
  'libreoffice-writer-password.pdf': 'encrypted_pdf',
  'unreadablemetadata.pdf': 'invalid_pdf', // damaged: its pages cannot be found
};
/** Damaged, and rewritten before they are continued; each of the others is the beginning of its sealed file. */
const MENDED: string[] = [];
/** A page that is smaller than a letter. */
const TINY = /^imagemagick-/;

const VALUES = { name: 'Ñandú Güiza', city: 'Łódź Київ' };

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 2, memoryMb: 512, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

describe.skipIf(files.length === 0)('a file of the public collection', () => {
  it.each(files)('%s is drawn on, or refused for what is wrong with it', { timeout: 30_000 }, async (file) => {
    const pdf = fs.readFileSync(path.join(FOLDER, file));
    const place = TINY.test(file) ? { page: 1, x: 1, y: 1, size: 0.01 } : { page: 1, x: 20, y: 60, size: 10 };
    const placeholders = [
      { key: 'name', ...place },
      { key: 'city', ...place, y: place.y + place.size },
    ];
    const report = await pool.inspect(pdf, placeholders);
    const filling = pool.fill(pdf, placeholders, VALUES);
    if (REFUSED[file]) {
      await expect(filling).rejects.toMatchObject({ code: REFUSED[file] });
      expect(report).toMatchObject({ pageCount: null, warnings: [{ code: REFUSED[file] }] });
      return;
    }
    const filled = await filling;
    expect(report.pageCount).toBeGreaterThan(0);
    const prepared = await pool.prepare(pdf, placeholders, VALUES, { fieldName: 'Seal', signatureBytes: 1024 });
    for (const { bytes } of [{ bytes: filled }, prepared])
      expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(!MENDED.includes(file));
    if (readers.qpdf) expect(qpdfCheck(prepared.bytes).code).toBeLessThanOrEqual(qpdfCheck(pdf).code);
    if (readers.qpdf) expect(qpdfCheck(filled).code).toBeLessThanOrEqual(qpdfCheck(pdf).code);
    if (!readers.poppler) return;
    const [before, after] = [textOf(pdf).split('\f'), textOf(filled).split('\f')];
    expect(after).toHaveLength(before.length);
    expect(after.slice(1)).toEqual(before.slice(1));
    if (!TINY.test(file)) for (const value of Object.values(VALUES)) expect(after[0]).toContain(value);
  });
});
