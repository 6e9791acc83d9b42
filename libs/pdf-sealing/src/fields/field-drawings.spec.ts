import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldDrawings, PdfPool } from '../index.ts';
import type { SignerAnswers, SignerField } from '../index.ts';
import { pagesPdf } from '../made-pdf.fixture.ts';
import { greyPng } from '../png.fixture.ts';
import { pixelsOf, qpdfCheck, readers, textOf, wordsOf } from '../poppler.fixture.ts';
import type { SeenWord } from '../poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const field = (key: string, type: SignerField['type'], x: number, y: number, width: number, height: number) => ({
  ...{ key, type, page: 1, x, y, width, height },
});
const SIGNATURE = field('sign', 'signature', 40, 300, 180, 48);
const FIELDS: SignerField[] = [
  SIGNATURE,
  field('initials', 'initials', 260, 300, 60, 32),
  field('name', 'name', 40, 260, 180, 18),
  field('date', 'date', 240, 260, 90, 18),
  field('note', 'text', 40, 150, 180, 60),
  field('agreed', 'checkbox', 260, 160, 14, 14),
  field('declined', 'checkbox', 290, 160, 14, 14),
  field('blank', 'text', 320, 160, 50, 18),
];
const ANSWERS: SignerAnswers = {
  signature: { type: 'typed', text: 'María Ñáñez' },
  values: { initials: 'MÑ', name: 'María Ñáñez Güiza', date: '2026-11-21', note: 'Acepto los términos de la cláusula quinta, con la reserva que consta en el anexo', agreed: true, declined: false, unknown: 'x' },
  caption: { name: 'María Ñáñez Güiza', at: new Date('2026-11-22T02:04:07Z'), locale: 'es-CO' },
  locale: 'es-CO',
}; // prettier-ignore
const drawn = (fields: readonly SignerField[], answers: SignerAnswers, page = '/MediaBox [0 0 400 400]') =>
  pool.draw(pagesPdf([page]).bytes(), { drawings: fieldDrawings(fields, answers) });

/** Whether a word stands inside a field's box, give or take what letters reach above and below their line. */
const within = (word: SeenWord | undefined, { x, y, width, height }: SignerField) =>
  word !== undefined && word.left >= x - 1 && word.right <= x + width + 1 && word.bottom >= y - 3 && word.top <= y + height + 3; // prettier-ignore

describe.skipIf(!readers.qpdf || !readers.poppler)('the fields of a signer', { timeout: 30_000 }, () => {
  it.each([0, 90, 180, 270])(
    'stand in their boxes on a page that is turned by %i degrees and cropped',
    async (turn) => {
      const page = `/MediaBox [30 50 700 700] /CropBox [100 150 500 550] /Rotate ${turn}`;
      const file = await drawn(FIELDS, ANSWERS, page);
      expect(qpdfCheck(file)).toMatchObject({ code: 0 });
      const { words } = wordsOf(file, turn % 180 !== 0);
      const places: [string, string][] = [['Ñáñez', 'sign'], ['MÑ', 'initials'], ['Güiza', 'name'], ['nov', 'date'], ['reserva', 'note']]; // prettier-ignore
      for (const [text, key] of places) {
        const box = FIELDS.find((one) => one.key === key) as SignerField;
        expect([text, words.some((word) => word.text === text && within(word, box))]).toEqual([text, true]);
      }
      const { width, pixels } = pixelsOf(file, 1);
      const darkest = (x: number, y: number, side: number) =>
      Math.min(...Array.from({ length: side * side }, (_, at) => pixels[(400 - y - 1 - Math.floor(at / side)) * width + x + (at % side)] as number)); // prettier-ignore
      expect(darkest(260, 174, 14)).toBeGreaterThan(200); // above the ticked box
      expect(Math.min(...[161, 163, 165, 168, 171].map((y) => darkest(263, y, 3)))).toBeLessThan(100);
      expect(darkest(290, 161, 14)).toBe(255);
    },
  );

  it('a signature states in small print who signed and when, as clocks in Bogotá showed it', async () => {
    const es = textOf(await drawn([SIGNATURE], ANSWERS));
    expect(es).toMatch(/María Ñáñez Güiza\s+Firmado electrónicamente · 2026-11-21 21:04:07 UTC-5/);
    const caption = { ...(ANSWERS.caption as NonNullable<SignerAnswers['caption']>), locale: 'en' as const };
    expect(textOf(await drawn([SIGNATURE], { ...ANSWERS, caption }))).toContain('Signed electronically · 2026-11-21');
  });

  it.each([
    ['no caption is wanted', SIGNATURE, { ...ANSWERS, caption: undefined }],
    ['the box is too small for one', { ...SIGNATURE, height: 30 }, ANSWERS],
  ])('a signature stands alone when %s', async (_, box, answers) => {
    const { words } = wordsOf(await drawn([box], answers));
    expect(words.map(({ text }) => text)).toEqual(['María', 'Ñáñez']);
    for (const word of words) expect(within(word, box)).toBe(true);
  });

  it('a drawn signature stands above its caption, its proportions kept', async () => {
    const image = greyPng([Array.from({ length: 4 }, () => [0, 255])]);
    const file = await drawn([SIGNATURE], { ...ANSWERS, signature: { type: 'drawn', image } });
    const { width, pixels } = pixelsOf(file, 1);
    const dark = (x: number, y: number) => (pixels[(400 - y) * width + x] as number) < 60;
    // 136 by 34 points in the middle of what the caption leaves: 62…198 across, 314…348 up.
    expect([dark(70, 330), dark(190, 330), dark(130, 318), dark(130, 344)]).toEqual([true, true, true, true]);
    expect([dark(58, 330), dark(203, 330), dark(130, 351), dark(300, 330)]).toEqual([false, false, false, false]);
  });

  it('a long text grows smaller, over as many lines as its box has room for', async () => {
    const name = FIELDS[2] as SignerField;
    const value = 'Doña María de los Ángeles Fernández de Córdoba y Ñáñez de la Güiza Rodríguez';
    const { words } = wordsOf(await drawn([name], { ...ANSWERS, values: { name: value } }));
    expect(words.map(({ text }) => text).join(' ')).toBe(value);
    for (const word of words) expect(within(word, name)).toBe(true);
  });

  it('a name of another script is drawn, in signature and caption too', async () => {
    const answers: SignerAnswers = {
      locale: 'en',
      signature: { type: 'typed', text: 'Łukasz Київ' },
      values: {},
      caption: { name: 'Łukasz 漢字 Київ', at: new Date(0), locale: 'en' },
    };
    expect(textOf(await drawn([SIGNATURE], answers))).toMatch(/Łukasz Київ\s+Łukasz \ufffd\ufffd Київ/);
  });
});

describe('what cannot be drawn is refused by the key of its field', { timeout: 30_000 }, () => {
  it.each([
    ['a signature of a strange script', [SIGNATURE], { signature: { type: 'typed', text: '漢字' } }, 'unsupported_text', 'sign'],
    ['a picture that is none', [SIGNATURE], { signature: { type: 'drawn', image: Buffer.from('GIF89a') } }, 'invalid_image', 'sign'],
    ['a text without end', [FIELDS[4]], { values: { note: 'palabra '.repeat(250) } }, 'text_overflow', 'note'],
    ['a box off the page', [{ ...FIELDS[5], x: 395 }], {}, 'placeholder_outside_page', 'agreed'],
    ['a page that is not there', [{ ...FIELDS[5], page: 2 }], {}, 'placeholder_outside_page', 'agreed'],
  ])('%s', async (_, fields, answers, code, key) => {
    const drawing = drawn(fields as SignerField[], { ...ANSWERS, ...(answers as Partial<SignerAnswers>) });
    await expect(drawing).rejects.toMatchObject({ code, message: expect.stringContaining(`"${key}"`) });
  });
}); // prettier-ignore
