import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAZARD_CODES, PdfPool } from '../index.ts';
import { HARMLESS, HAZARDOUS, revised } from './hazardous-pdfs.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 20_000 });
});
afterAll(() => pool.close());

/** Each file is made once: some take a while. */
const hazardous = HAZARDOUS.map(([name, codes, place, make]) => [name, codes, place, make()] as const);

const refused = new Set<string>(HAZARD_CODES);
async function found(pdf: Buffer) {
  const { pageCount, warnings } = await pool.inspect(pdf, []);
  expect(pageCount).toBeGreaterThan(0);
  return warnings.filter(({ code }) => refused.has(code));
}

describe('a document with something that acts, hides or differs', { timeout: 60_000 }, () => {
  it.each(hazardous)('%s is reported with its place', async (_, codes, place, pdf) => {
    const findings = await found(pdf);
    expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual([...codes].sort());
    for (const { detail } of findings) expect(detail).toMatch(/^[A-Z].*\.$/);
    expect(findings.map(({ detail }) => detail).join(' ')).toContain(place);
  });

  it.each(hazardous.filter(([, , , pdf]) => pdf.length < 20_000))('%s is still reported after another revision', async (_, codes, __, pdf) => {
    const later = revised(pdf, 60, '<< /Unrelated true >>');
    expect(new Set((await found(later)).map(({ code }) => code))).toEqual(new Set(codes));
  }); // prettier-ignore

  it('has one finding for each place, and a sum of those beyond sixteen', async () => {
    const { pagesPdf } = await import('../made-pdf.fixture.ts');
    const pages = Array.from({ length: 40 }, () => '/MediaBox [0 0 9 9] /AA << /O << /S /Launch /F (x) >> >>');
    const findings = await found(pagesPdf(pages).bytes());
    expect(findings).toHaveLength(2 * 17);
    expect(findings[0]?.detail).toContain('page 1 ');
    expect(findings[16]?.detail).toContain('24 more findings');
  });

  it.each(HARMLESS)('is not one with %s', async (_, pdf) => {
    expect(await found(pdf())).toEqual([]);
  });
});
