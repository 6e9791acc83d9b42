import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool } from './index.ts';
import type { Drawing, PlacedDrawing, TextBox } from './index.ts';
import { pagesPdf } from './made-pdf.fixture.ts';
import { greyPng, pngChunk } from './png.fixture.ts';
import { pixelsOf, qpdfCheck, readers, textOf, wordsOf } from './poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const PLAIN = '/MediaBox [0 0 400 400]';
const drawn = (attributes: string, drawings: PlacedDrawing[]) =>
  pool.draw(pagesPdf([attributes]).bytes(), { drawings });

/** Black and white above, white and see-through black below. */
const PICTURE = greyPng([
  [
    [0, 255],
    [255, 255],
  ],
  [
    [255, 255],
    [0, 0],
  ],
]);
const boxed = { key: 'f', page: 1, x: 100, y: 200, width: 80, height: 40 } as const;

describe.skipIf(!readers.qpdf || !readers.poppler)('on a page turned by', { timeout: 30_000 }, () => {
  it.each([0, 90, 180, 270])('%i degrees, everything stands upright at its place', async (turn) => {
    const file = await drawn(`/MediaBox [50 50 450 450] /CropBox [50 50 500 500] /Rotate ${turn}`, [
      { kind: 'image', ...boxed, width: 40, bytes: PICTURE },
      { kind: 'checkmark', key: 'c', page: 1, x: 300, y: 90, width: 50, height: 70 },
      { kind: 'rule', key: 'r', page: 1, x: 20, y: 300, width: 200, height: 3, colour: [0.5, 0.5, 0.5] },
      { kind: 'modules', key: 'm', page: 1, x: 200, y: 20, width: 30, height: 30, rows: ['110', '001', '010'] },
      { kind: 'text_box', key: 't', page: 1, x: 20, y: 340, width: 300, height: 20, text: 'Upright', size: 12 },
    ]);
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    const { width, pixels } = pixelsOf(file, 1);
    const grey = (x: number, y: number) => pixels[(400 - y) * width + x] as number;
    // Above: black, white. Below: white, see-through.
    expect([grey(105, 232), grey(135, 232), grey(105, 208), grey(135, 208)]).toEqual([0, 255, 255, 255]);
    expect(grey(95, 232)).toBe(255);
    // The tick: its foot, its long arm; nothing at the upper left.
    expect([grey(320, 111), grey(332, 127), grey(305, 145)]).toEqual([0, 0, 255]);
    expect([grey(21, 302), grey(219, 302), grey(100, 306), grey(100, 297)]).toEqual([128, 128, 255, 255]);
    const rows = [45, 35, 25].map((y) => [205, 215, 225].map((x) => (grey(x, y) < 128 ? '1' : '0')).join(''));
    expect(rows).toEqual(['110', '001', '010']);
    const [word] = wordsOf(file, turn % 180 !== 0).words;
    expect(word).toMatchObject({ text: 'Upright', left: expect.closeTo(20, 0) });
    expect([(word?.bottom ?? 0) > 339, (word?.top ?? 0) < 361]).toEqual([true, true]);
  });
});

describe.skipIf(!readers.qpdf || !readers.poppler)('a picture', { timeout: 30_000 }, () => {
  it('keeps its proportions, in the middle of its box', async () => {
    const file = await drawn(PLAIN, [{ kind: 'image', ...boxed, bytes: PICTURE }]);
    const { width, pixels } = pixelsOf(file, 1);
    const grey = (x: number, y: number) => pixels[(400 - y) * width + x] as number;
    expect([grey(110, 232), grey(125, 232), grey(145, 232), grey(170, 232)]).toEqual([255, 0, 255, 255]);
  });

  it('that is drawn on many pages is in the file once', async () => {
    const bytes = greyPng([[[7, 99]]]);
    const page = { width: 200, height: 300, drawings: [{ kind: 'image', ...boxed, bytes } satisfies Drawing] };
    const file = await pool.draw(pagesPdf([PLAIN]).bytes(), {
      drawings: [{ kind: 'image', ...boxed, bytes }],
      pages: [page, page],
    });
    expect(file.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2); // and its transparency
  });

  const many = (width: number, height: number) => greyPng([], { width, height, data: deflateSync(Buffer.alloc(99)) });
  const bomb = () => deflateSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 });
  it.each([
    ['is no picture', () => Buffer.from('GIF89a'), 'neither a whole PNG nor a JPEG'],
    ['is empty', () => Buffer.alloc(0), 'neither a whole PNG nor a JPEG'],
    ['was cut', () => PICTURE.subarray(0, 60), 'neither a whole PNG nor a JPEG'],
    ['has no pixels', () => many(0, 5), 'neither a whole PNG nor a JPEG'],
    ['claims 10^18 pixels', () => many(2 ** 31 - 1, 2 ** 31 - 1), 'more than 8 million pixels'],
    ['claims more rows than it has', () => many(100, 100), 'damaged'],
    ['has more than it claims', () => many(2, 2), 'damaged'],
    ['inflates to 100 MB', () => greyPng([], { width: 9, height: 9, data: bomb() }), 'damaged'],
    ['does not inflate', () => greyPng([], { width: 9, height: 9, data: Buffer.from('rubbish') }), 'damaged'],
    ['is larger than 2 MB', () => Buffer.alloc(3 * 1024 * 1024), 'larger than 2 MB'],
    ['is a JPEG without a frame', () => Buffer.from('ffd8ffe000104a46494600', 'hex'), 'neither a whole PNG nor a JPEG'],
    ['is a JPEG of a frame alone', () => Buffer.from('ffd8ffc0001108000100010301220002110103110100', 'hex'), ''],
  ])('that %s is refused by its key', { timeout: 20_000 }, async (_, make, why) => {
    const drawing = drawn(PLAIN, [{ kind: 'image', ...boxed, key: 'sign.here', bytes: make() }]);
    if (why === '') return void (await drawing.catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid_image' }))); // prettier-ignore
    await expect(drawing).rejects.toMatchObject({
      code: 'invalid_image',
      message: expect.stringMatching(new RegExp(`"sign\\.here" (is|has) .*${why}|"sign\\.here" is ${why}`)),
    });
  });

  it('loses what is not needed to show it: texts that inflate to anything, positions, names', async () => {
    const extra = [pngChunk('tEXt', Buffer.from('Author\0Nobody Inparticular')), pngChunk('zTXt', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(50 * 1024 * 1024))]))]; // prettier-ignore
    const file = await drawn(PLAIN, [{ kind: 'image', ...boxed, bytes: greyPng([[[0, 255]]], { extra }) }]);
    expect(file.includes('Nobody')).toBe(false);
  });
});

describe.skipIf(!readers.poppler)('text in a box', { timeout: 30_000 }, () => {
  const box = (text: string, more: Partial<TextBox> = {}): PlacedDrawing => ({
    ...{ kind: 'text_box', key: 'note', page: 1, x: 50, y: 100, width: 120, height: 40, size: 12, text },
    ...more,
  });
  const seen = async (drawing: PlacedDrawing) => wordsOf(await drawn(PLAIN, [drawing])).words;

  it('shrinks to its width', async () => {
    const words = await seen(box('Un nombre bastante largo de persona'));
    expect(words).toHaveLength(6);
    expect(words.at(-1)?.right).toBeLessThanOrEqual(170.5);
    expect((words[0]?.top ?? 0) - (words[0]?.bottom ?? 0)).toBeLessThan(12);
  });

  it('breaks at spaces, and inside a word that is longer than a line', async () => {
    const words = await seen(box('uno dos tres cuatro cinco seis siete ocho', { lines: 3, size: 10 }));
    expect(words.map(({ text }) => text).join(' ')).toBe('uno dos tres cuatro cinco seis siete ocho');
    expect(new Set(words.map(({ bottom }) => Math.round(bottom))).size).toBe(2);
    const long = await seen(box('x'.repeat(60), { lines: 3, size: 10 }));
    expect(long.map(({ text }) => text).join('')).toBe('x'.repeat(60));
    for (const { left, right } of long) expect([left >= 49.5, right <= 170.5]).toEqual([true, true]);
  });

  it('is drawn in one font, whichever line needs it', async () => {
    const file = await drawn(PLAIN, [box('uno dos tres cuatro cinco seis siete Łódź', { lines: 3, size: 10 })]);
    expect([file.includes('DejaVuSans'), file.includes('/Helvetica')]).toEqual([true, false]);
    expect(wordsOf(file).words.map(({ text }) => text)).toContain('Łódź');
  });

  it('stands at its left, in its middle, at its right; in the middle or from the top', async () => {
    const [left, centre, right] = [
      await seen(box('ab', { align: 'left' })),
      await seen(box('ab', { align: 'centre' })),
      await seen(box('ab', { align: 'right', from: 'top' })),
    ].map(([word]) => word as NonNullable<typeof word>) as never as Awaited<ReturnType<typeof seen>>;
    expect(left?.left).toBeCloseTo(50, 0);
    expect(((centre?.left ?? 0) + (centre?.right ?? 0)) / 2).toBeCloseTo(110, 0);
    expect(right?.right).toBeCloseTo(170, 0);
    expect(right?.top).toBeGreaterThan((centre?.top as number) + 10);
  });

  it.each(['plain', 'bold', 'signature'] as const)('is drawn in the face %s', async (face) => {
    const file = await drawn(PLAIN, [box('María Ñáñez', { face })]);
    expect(file.includes({ plain: '/Helvetica ', bold: '/Helvetica-Bold ', signature: '/Times-Italic ' }[face])).toBe(
      true,
    );
    expect(textOf(file)).toContain('María Ñáñez');
    expect(textOf(await drawn(PLAIN, [box('Łódź', { face })]))).toContain('Łódź');
  });

  it('that does not fit is refused by its key', async () => {
    await expect(drawn(PLAIN, [box('word '.repeat(200))])).rejects.toMatchObject({
      code: 'text_overflow',
      message: 'The value for "note" does not fit into its box of 120 by 40 points.',
    });
  });

  it('that must not stop a seal is cut, and shows what no font has as U+FFFD', async () => {
    const long = textOf(await drawn(PLAIN, [box('word '.repeat(200), { lenient: true, lines: 2 })]));
    expect(long.trim()).toMatch(/^(word ?\s*)+wo?r?d?…$/);
    const strange = textOf(await drawn(PLAIN, [box('a 漢 \u0007 🦄 Ana', { lenient: true })]));
    expect(strange.trim()).toBe('a \ufffd \ufffd \ufffd Ana');
    const mixed = textOf(await drawn(PLAIN, [box('Ana حبيب', { lenient: true })]));
    expect(mixed.trim()).toBe(`Ana ${'\ufffd'.repeat(4)}`);
    const tiny = await drawn(PLAIN, [box('漢字 and a very long text', { lenient: true, width: 5, height: 5 })]);
    expect(textOf(tiny).trim().length).toBeLessThan(5);
  });
});

describe('a box that', { timeout: 30_000 }, () => {
  it.each([
    ['leaves the page at the right', { x: 350 }],
    ['leaves the page at the top', { y: 380 }],
    ['starts outside', { x: -1 }],
    ['has no width', { width: 0 }],
    ['is not of numbers', { width: Number.NaN }],
    ['is endless', { height: Number.POSITIVE_INFINITY }],
  ])('%s is refused by its key', async (_, at) => {
    for (const drawing of [
      { kind: 'checkmark', ...boxed, ...at },
      { kind: 'rule', ...boxed, ...at },
      { kind: 'text_box', text: 'x', size: 9, ...boxed, ...at },
    ] satisfies PlacedDrawing[])
      await expect(drawn(PLAIN, [drawing])).rejects.toMatchObject({
        code: 'placeholder_outside_page',
        message: expect.stringContaining('"f"'),
      });
  });
});
