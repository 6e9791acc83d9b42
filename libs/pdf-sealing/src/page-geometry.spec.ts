import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PdfPool } from './index.ts';
import { pagesPdf } from './made-pdf.fixture.ts';
import { pixelsOf, readers, wordsOf } from './poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const SIZE = 12;

/** Draws two words of known length, so that a mirrored or turned text cannot pass. */
async function seen(attributes: string, x: number, y: number, tree = '') {
  const pdf = await pool.fill(pagesPdf([attributes], tree).bytes(), [{ key: 'a', page: 1, x, y, size: SIZE }], {
    a: 'Hxq illiilli',
  });
  const rotation = Number(/\/Rotate (-?\d+)/.exec(attributes + tree)?.[1] ?? 0);
  return { pdf, ...wordsOf(pdf, rotation % 180 !== 0) };
}

it('the report on a document has the size of its first page, as a viewer shows it', async () => {
  const pages = ['/MediaBox [-33 17 700 900] /CropBox [20 40 420 640] /Rotate 270', '/MediaBox [0 0 9 9]'];
  const { firstPage } = await pool.inspect(pagesPdf(pages).bytes(), []);
  expect(firstPage).toEqual({ width: 600, height: 400 });
  expect((await pool.inspect(Buffer.from('no PDF'), [])).firstPage).toBeNull();
});

describe.skipIf(!readers.poppler)('a value is drawn where a viewer shows x and y', () => {
  const pages: [string, string, string?][] = [
    ['a plain page', '/MediaBox [0 0 400 600]'],
    ['a MediaBox whose corners are swapped', '/MediaBox [400 600 0 0]'],
    ['a MediaBox with an origin', '/MediaBox [124.6 267 524.6 867]'],
    ['a negative origin', '/MediaBox [-200 -300 200 300]'],
    ['a CropBox inside the MediaBox', '/MediaBox [0 0 600 800] /CropBox [100 100 500 700]'],
    ['a CropBox that leaves the MediaBox', '/MediaBox [0 0 400 600] /CropBox [-50 -50 500 700]'],
    ['an inherited MediaBox', '', '/MediaBox [10 20 410 620]'],
    ['an inherited CropBox and rotation', '', '/MediaBox [0 0 700 700] /CropBox [50 60 650 460] /Rotate 90'],
    ['a quarter turn', '/MediaBox [0 0 400 600] /Rotate 90'],
    ['a half turn', '/MediaBox [0 0 400 600] /Rotate 180'],
    ['three quarter turns', '/MediaBox [0 0 400 600] /Rotate 270'],
    ['a turn to the left', '/MediaBox [0 0 400 600] /Rotate -90'],
    ['more than a whole turn', '/MediaBox [0 0 400 600] /Rotate 450'],
    ['everything at once', '/MediaBox [-33 17 700 900] /CropBox [20 40 420 640] /Rotate 270'],
  ];

  it.each(pages)('on %s', async (_, attributes, tree) => {
    const { words, pages: shown } = await seen(attributes, 60, 80, tree);
    expect(words.map(({ text }) => text)).toEqual(['Hxq', 'illiilli']);
    const [first, second] = words as [(typeof words)[0], (typeof words)[0]];
    expect(first.left).toBeCloseTo(60, 0);
    expect(first.bottom).toBeLessThan(80);
    expect(first.top).toBeGreaterThan(80 + 0.6 * SIZE);
    expect(first.top - first.bottom).toBeLessThan(1.5 * SIZE);
    expect(second.left).toBeGreaterThan(first.right);
    expect(shown[0]?.width).toBeGreaterThan(0);
  });

  it('on every box and rotation', { timeout: 120_000 }, async () => {
    const box = fc.record({
      left: fc.integer({ min: -500, max: 500 }),
      bottom: fc.integer({ min: -500, max: 500 }),
      width: fc.integer({ min: 200, max: 900 }),
      height: fc.integer({ min: 200, max: 900 }),
    });
    const inset = fc.record({ left: fc.integer({ min: -40, max: 40 }), top: fc.integer({ min: -40, max: 40 }) });
    const place = fc.record({
      x: fc.double({ min: 1, max: 90, noNaN: true }),
      y: fc.double({ min: 4, max: 130, noNaN: true }),
    });
    const rotation = fc.constantFrom(0, 90, 180, 270, -90, 360);
    await fc.assert(
      fc.asyncProperty(box, inset, place, rotation, async (media, crop, at, turn) => {
        const [right, top] = [media.left + media.width, media.bottom + media.height];
        const attributes =
          `/MediaBox [${media.left} ${media.bottom} ${right} ${top}] /Rotate ${turn} ` +
          `/CropBox [${media.left + crop.left} ${media.bottom} ${right} ${top - crop.top}]`;
        const { words } = await seen(attributes, at.x, at.y);
        expect(words.map(({ text }) => text)).toEqual(['Hxq', 'illiilli']);
        const [first] = words as [(typeof words)[0]];
        expect(Math.abs(first.left - at.x)).toBeLessThan(0.6);
        expect(first.bottom).toBeLessThan(at.y);
        expect(first.top).toBeGreaterThan(at.y + 0.6 * SIZE);
      }),
      { numRuns: 60 },
    );
  });

  it('upright: the rendered ink stands above the baseline, from left to right', async () => {
    for (const turn of [0, 90, 180, 270]) {
      const attributes = `/MediaBox [50 50 450 450] /Rotate ${turn}`;
      const pdf = await pool.fill(pagesPdf([attributes]).bytes(), [{ key: 'a', page: 1, x: 100, y: 300, size: 40 }], {
        a: 'L',
      });
      const { width, pixels } = pixelsOf(pdf, 1);
      const dark = (x: number, y: number) => (pixels[(400 - y) * width + x] as number) < 128;
      // An L: its stem on the left over the whole height, its foot at the bottom, nothing at the upper right.
      expect([dark(106, 325), dark(106, 310), dark(116, 302), dark(116, 320)]).toEqual([true, true, true, false]);
    }
  });
});

describe('a value that is not on the page', () => {
  const fill = (attributes: string, x: number, y: number, value = 'text', page = 1) =>
    pool.fill(pagesPdf([attributes]).bytes(), [{ key: 'full.name', page, x, y, size: SIZE }], { 'full.name': value });

  it.each([
    ['left of it', -1, 10],
    ['under it', 10, -1],
    ['right of it', 601, 10],
    ['above it', 10, 401],
  ])('is refused when it starts %s, by the page as it is shown', async (_, x, y) => {
    await expect(fill('/MediaBox [100 100 500 700] /Rotate 90', x, y)).rejects.toMatchObject({
      code: 'placeholder_outside_page',
      message: expect.stringContaining('"full.name"'),
    });
  });

  it('is refused on a page that there is not', async () => {
    await expect(fill('/MediaBox [0 0 400 600]', 10, 10, 'text', 2)).rejects.toMatchObject({
      code: 'placeholder_outside_page',
      message: expect.stringMatching(/"full\.name" is on page 2, and the document has 1 page\./),
    });
  });

  it.each([
    ['right', 380, 10, 'far too long for what is left'],
    ['top', 10, 595, 'X'],
    ['bottom', 10, 0, 'gjpq'],
  ])('is refused when its text leaves the page at the %s', async (edge, x, y, value) => {
    await expect(fill('/MediaBox [0 0 400 600]', x, y, value)).rejects.toMatchObject({
      code: 'text_overflow',
      message: expect.stringMatching(new RegExp(`"full\\.name" leaves page 1 at the ${edge}`)),
    });
  });

  it('is no matter when there is nothing to draw', async () => {
    const pdf = await fill('/MediaBox [0 0 400 600]', -500, 10, ' ');
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('may touch the edges', async () => {
    await expect(fill('/MediaBox [0 0 400 600]', 0, 0, 'HELLO')).resolves.toBeInstanceOf(Buffer);
  });
});
