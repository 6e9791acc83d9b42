import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pngProblem } from './png-ink.ts';
import { pngOf } from './png.fixture.ts';
import { markDigest, signatureMark } from './signature-mark.ts';

const DRAWN = pngOf({ width: 40, height: 10 });
const row = (...bytes: number[]) => Buffer.from(bytes);

describe('a picture of a signature', () => {
  it.each([
    ['a line on nothing', DRAWN],
    ['black on white, without opacity', pngOf({ width: 2, height: 2, colour: 2, rows: [row(255, 255, 255, 255, 255, 255), row(255, 255, 255, 0, 0, 0)] })],
    ['of one bit', pngOf({ width: 8, height: 2, depth: 1, colour: 0, rows: [row(0xff), row(0xf7)] })],
    ['of sixteen bits', pngOf({ width: 1, height: 2, depth: 16, colour: 0, rows: [row(1, 0), row(1, 1)] })],
    // Every filter, on rows whose difference shows only once it is undone.
    ['filtered by the pixel to the left', pngOf({ width: 3, height: 1, colour: 0, filter: 1, rows: [row(5, 0, 1)] })],
    ['filtered by the row above', pngOf({ width: 1, height: 3, colour: 0, filter: 2, rows: [row(5), row(0), row(1)] })],
    ['filtered by the mean', pngOf({ width: 2, height: 2, colour: 0, filter: 3, rows: [row(8, 8), row(8, 8)] })],
    ['filtered by Paeth', pngOf({ width: 2, height: 2, colour: 0, filter: 4, rows: [row(5, 0), row(0, 9)] })],
  ])('is taken: %s', (_, png) => expect(pngProblem(png)).toBeUndefined()); // prettier-ignore

  it.each([
    ['transparent everywhere, whatever its colours', pngOf({ width: 2, height: 1, rows: [row(1, 2, 3, 0, 9, 8, 7, 0)] }), 'is blank'],
    ['white everywhere', pngOf({ width: 2, height: 1, colour: 2, rows: [Buffer.alloc(6, 255)] }), 'is blank'],
    ['the same everywhere, once its filter is undone', pngOf({ width: 3, height: 1, colour: 0, filter: 1, rows: [row(5, 0, 0)] }), 'is blank'],
    ['blank in one bit', pngOf({ width: 16, height: 1, depth: 1, colour: 0, rows: [row(255, 255)] }), 'is blank'],
    ['fewer pixels than its header says', pngOf({ width: 40, height: 11, rows: [row(1)] }), 'is damaged'],
    ['more pixels than its header says', pngOf({ width: 1, height: 1, data: deflateSync(Buffer.alloc(5_000_000)) }), 'is damaged'],
    ['an unknown filter', pngOf({ width: 1, height: 1, colour: 0, filter: 9, rows: [row(1)] }), 'is damaged'],
    ['not deflated', pngOf({ width: 1, height: 1, data: randomBytes(20) }), 'is damaged'],
    ['interlaced', pngOf({ width: 40, height: 10, interlace: 1 }), 'is interlaced: save it without'],
    ['huge', pngOf({ width: 40_000, height: 40_000, rows: [], data: deflateSync(row(0)) }), 'has more than 4 million pixels'],
    ['cut off', DRAWN.subarray(0, -4), 'is not a whole PNG'],
    ['of no width', pngOf({ width: 0, height: 1, rows: [row()] }), 'is not a whole PNG'],
    ['a GIF', Buffer.from('GIF89a'), 'is not a whole PNG'],
    ['empty', Buffer.alloc(0), 'is not a whole PNG'],
  ])('is refused: %s', (_, png, problem) => expect(pngProblem(png)).toBe(problem)); // prettier-ignore
});

describe('a signature', () => {
  it('is typed: in NFC, without spaces around it', () => {
    const mark = signatureMark({ type: 'typed', text: '  An\u0303a ' });
    expect(mark).toEqual({ type: 'typed', text: 'Aña' });
    expect(markDigest({ type: 'typed', text: 'abc' }).toString('hex')).toMatch(/^ba7816bf8f01cfea/);
  });

  it.each(['', 'data:image/png;base64,', 'DATA:image/PNG;base64,'])('is drawn: base64 after %j', (prefix) => {
    expect(signatureMark({ type: 'drawn', image: prefix + DRAWN.toString('base64') })).toEqual({
      type: 'drawn',
      image: DRAWN,
    });
  });

  it.each([
    [{ type: 'typed' }, '/signature/text required'],
    [{ type: 'typed', text: ' ' }, '/signature/text too_short'],
    [{ type: 'typed', text: 'x'.repeat(121) }, '/signature/text too_long'],
    [{ type: 'typed', text: 'a\nb' }, '/signature/text wrong_format'],
    [{ type: 'typed', text: 'a', image: 'eA==' }, '/signature/image not_allowed'],
    [{ type: 'drawn' }, '/signature/image required'],
    [{ type: 'drawn', image: 'x', text: 'a' }, '/signature/text not_allowed'],
    [{ type: 'drawn', image: 'data:image/svg+xml;base64,PHN2Zz4=' }, '/signature/image wrong_format'],
    [{ type: 'drawn', image: 'not base64!' }, '/signature/image wrong_format'],
    [{ type: 'drawn', image: Buffer.from('GIF89a').toString('base64') }, '/signature/image invalid_image'],
    [{ type: 'drawn', image: randomBytes(200 * 1024 + 1).toString('base64') }, '/signature/image too_long'],
  ] as const)('is answered with what is wrong with it: %j', (given, expected) => {
    const error = signatureMark(given) as { pointer: string; code: string };
    expect(`${error.pointer} ${error.code}`).toBe(expected);
  });
});
