import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool } from './index.ts';
import { pagesPdf } from './made-pdf.fixture.ts';
import { qpdfCheck, readers, textOf } from './poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const drawn = (value: string) =>
  pool.fill(pagesPdf().bytes(), [{ key: 'name', page: 1, x: 40, y: 400, size: 10 }], { name: value });

describe.skipIf(!readers.poppler || !readers.qpdf)('a value can be read back from the file', () => {
  it.each([
    ['Spanish', 'María José Ñáñez Güiza, ¿cómo está? ¡Bien! 1.234,56 €', 'Helvetica'],
    ['typographic marks', '“Firma” – ‘siempre’ … • ™ ŠšŽžŒœ', 'Helvetica'],
    ['letters composed after the fact', 'Jose\u0301 Nun\u0303ez', 'Helvetica'],
    ['Polish', 'Łódź, Wrocław, Gdańsk', 'DejaVu'],
    ['Cyrillic', 'Київ, Москва', 'DejaVu'],
    ['Greek', 'Αθήνα και Θεσσαλονίκη', 'DejaVu'],
    ['Vietnamese', 'Nguyễn Văn Đức', 'DejaVu'],
    ['Turkish', 'İstanbul ğüşıöç', 'DejaVu'],
    ['mathematics', '∑x ≤ ∞ und √2 → ☑', 'DejaVu'],
    ['an emoji that the font has', 'ok 😀', 'DejaVu'],
    ['Hebrew', 'שלום', 'DejaVu'],
    ['ligatures to be', 'fi ffl Ł office', 'DejaVu'],
  ])('%s', async (_, value, face) => {
    const pdf = await drawn(value);
    const directionMarks = /[\u202b\u202c]/gu; // pdftotext's own
    expect(textOf(pdf).replaceAll(directionMarks, '').trim().normalize('NFC')).toBe(value.normalize('NFC'));
    expect(qpdfCheck(pdf)).toMatchObject({ code: 0 });
    expect(pdf.includes('DejaVuSans')).toBe(face === 'DejaVu');
    if (face === 'DejaVu') expect(pdf.length).toBeLessThan(30_000);
  });

  it('a value wider than max_width is drawn smaller, and refused where 4 points are too large', async () => {
    const place = { key: 'name', page: 1, x: 40, y: 400, size: 24 };
    const at = (max_width?: number) =>
      pool.fill(pagesPdf().bytes(), [{ ...place, max_width } as typeof place], { name: 'María José Ñáñez' });
    const sizeOf = (pdf: Buffer) => Number(/ ([\d.]+) Tf/.exec(pdf.toString('latin1'))?.[1]);
    expect(sizeOf(await at())).toBe(24);
    expect(sizeOf(await at(1_000))).toBe(24);
    const narrow = await at(90);
    expect(sizeOf(narrow)).toBeGreaterThan(8);
    expect(sizeOf(narrow)).toBeLessThan(12);
    expect(textOf(narrow).trim()).toBe('María José Ñáñez');
    await expect(at(20)).rejects.toMatchObject({ code: 'text_overflow', message: expect.stringContaining('"name"') });
  });

  it('line breaks and tabs are drawn as one space', async () => {
    expect(textOf(await drawn('Calle 1\r\n\tBogotá\u2028Colombia')).trim()).toBe('Calle 1 Bogotá Colombia');
  });

  it('two values on two pages, a third one left out, keep the rest of the file', async () => {
    const pdf = pagesPdf(['/MediaBox [0 0 300 300] /Contents 20 0 R', '/MediaBox [0 0 300 300]'])
      .object(5, '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>')
      .object(
        10,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 20 0 R /Resources << /Font << /SealHelv 5 0 R >> >> >>',
      )
      .stream(20, '2 0 0 2 0 0 cm BT /SealHelv 12 Tf 3 Tr 20 100 Td (Before) Tj ET')
      .bytes();
    const at = { x: 20, y: 30, size: 10 };
    const filled = await pool.fill(
      pdf,
      [
        { key: 'a', page: 1, ...at },
        { key: 'b', page: 2, ...at },
        { key: 'c', page: 1, x: 1e9, y: 5, size: 10 },
      ],
      { a: 'Uno', b: 'Жук', unknown: 'x', constructor: 'y' } as Record<string, string>,
    );
    const [first, second] = textOf(filled).split('\f') as [string, string];
    expect(first).toContain('Before');
    expect(first).toContain('Uno');
    expect(second.trim()).toBe('Жук');
  });
});

describe('a character in no font', () => {
  it.each([
    ['an ideograph', 'a 漢 b', 'U+6F22'],
    ['an emoji', 'ok 🦄', 'U+1F984'],
    ['a control character', 'a\u0007b', 'U+0007'],
    ['a C1 control character', 'a\u009bb', 'U+009B'],
    ['half of a surrogate pair', 'a\ud83d', 'U+D83D'],
    ['a mix of writing directions', 'Ana حبيب', 'U+062D'],
  ])('%s is refused by its code point and the key, without the value', async (_, value, codePoint) => {
    const failure = await drawn(value).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'unsupported_text' });
    expect((failure as Error).message).toContain(codePoint);
    expect((failure as Error).message).toContain('"name"');
    expect((failure as Error).message).not.toContain(value);
  });
});

it('the same input makes the same file', async () => {
  for (const value of ['Ana', 'Łódź']) expect((await drawn(value)).equals(await drawn(value))).toBe(true);
});
