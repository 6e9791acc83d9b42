import { randomBytes } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LocalFaceEngines } from './load-engine.ts';
import { loadFaceEngine } from './load-engine.ts';
import { openEngines } from './open-engines.fixture.ts';
import { hasFaces, photo } from './shared-faces.fixture.ts';

const OPTIONS = { deadlineMs: 20_000 };
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false });

let engines: LocalFaceEngines;
beforeAll(async () => {
  engines = await openEngines();
}, 60_000);

describe('a picture that is none', () => {
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['noise', () => randomBytes(5_000)],
    ['a text that begins like a JPEG', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>')])],
    ['a JPEG cut off', async () => (await flat(800, 600).jpeg().toBuffer()).subarray(0, 1_000)],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><rect width="9" height="9"/></svg>')], // prettier-ignore
    ['a GIF', () => flat(300, 300).gif().toBuffer()],
    ['144 megapixels', () => flat(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()],
  ])('%s is answered as such', { timeout: 60_000 }, async (_, make) => {
    const seen = await engines.faces.detect(await make(), 'selfie', OPTIONS);
    expect(seen).toMatchObject({ outcome: 'retry', reasons: ['not_an_image'], face: null, faces: 0 });
  });
});

it.each<[string, number, number]>([
  ['one pixel', 1, 1],
  ['a line', 4_000, 2],
  ['a long strip', 3_000, 40],
])('%s is too small', async (_, width, height) => {
  const seen = await engines.faces.detect(await flat(width, height).png().toBuffer(), 'document', OPTIONS);
  expect(seen).toMatchObject({ outcome: 'retry', reasons: ['too_small'], face: null });
});

describe('a picture without a face', () => {
  it.each<[string, () => Promise<Buffer>]>([
    ['one colour', () => flat(640, 480).jpeg().toBuffer()],
    ['noise', () => sharp(randomBytes(400 * 400 * 3), { raw: { width: 400, height: 400, channels: 3 } }).png().toBuffer()], // prettier-ignore
    ['black with an alpha channel', () => sharp({ create: { width: 300, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } }).webp().toBuffer()], // prettier-ignore
    ['grey of 16 bits', () => flat(300, 300).toColourspace('grey16').png().toBuffer()],
    ['CMYK', () => flat(300, 300).toColourspace('cmyk').jpeg().toBuffer()],
  ])('%s has none', { timeout: 30_000 }, async (_, make) => {
    const seen = await engines.faces.detect(await make(), 'selfie', OPTIONS);
    expect(seen).toMatchObject({ outcome: 'retry', reasons: ['no_face'], face: null });
  });
});

it('a comparison that has no time says so', async () => {
  const picture = await flat(200, 200).jpeg().toBuffer();
  const seen = await engines.faces.compare(picture, picture, { deadlineMs: 0 });
  expect(seen).toMatchObject({ outcome: 'error', reasons: ['deadline'], score: null });
});

it('an engine without its files does not start', async () => {
  await expect(loadFaceEngine({ modelPath: '/nowhere' })).rejects.toThrow();
});

describe.skipIf(!hasFaces)('a poor photo of a face', () => {
  const selfie = () => sharp(photo('img1.jpg'));
  const noisy = async (picture: Sharp) => {
    const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const grain = data.map((value, at) => Math.max(0, Math.min(255, value + ((at * 7_919) % 23) - 11)));
    return sharp(grain, { raw: info }).jpeg({ quality: 92 }).toBuffer();
  };

  it.each<[string, () => Promise<Buffer>, string]>([
    ['blurred', () => selfie().resize(900).blur(14).jpeg().toBuffer(), 'blurred'],
    ['blurred, by a camera with noise', () => noisy(selfie().resize(900).blur(14)), 'blurred'],
    ['dark', () => selfie().resize(900).linear(0.1, 0).jpeg().toBuffer(), 'too_dark'],
    ['small', () => selfie().resize(90).jpeg({ quality: 95 }).toBuffer(), 'too_small'],
  ])('%s is refused for what it is', { timeout: 30_000 }, async (_, make, reason) => {
    const seen = await engines.faces.detect(await make(), 'selfie', OPTIONS);
    expect(seen.outcome).toBe('retry');
    expect(seen.reasons).toContain(reason);
  });

  it('turned by its EXIF orientation is found, in pixels of the upright picture', { timeout: 30_000 }, async () => {
    const lying = await sharp(await selfie().rotate(270).jpeg().toBuffer()).withMetadata({ orientation: 6 }).jpeg().toBuffer(); // prettier-ignore
    const [upright, turned] = [
      await engines.faces.detect(photo('img1.jpg'), 'selfie', OPTIONS),
      await engines.faces.detect(lying, 'selfie', OPTIONS),
    ];
    expect(turned.outcome).toBe('pass');
    const tolerance = (upright.face?.box.width ?? 0) / 20;
    expect(Math.abs((turned.face?.box.x ?? 0) - (upright.face?.box.x ?? 0))).toBeLessThan(tolerance);
  });

  it('on a document is found where it lies, and its quality refuses nothing', { timeout: 30_000 }, async () => {
    const portrait = await selfie().resize(220, 280, { fit: 'cover', position: 'top' }).blur(1.5).toBuffer();
    const card = await sharp({ create: { width: 1_011, height: 638, channels: 3, background: '#e9e2c8' } })
      .composite([{ input: portrait, left: 700, top: 200 }])
      .jpeg({ quality: 60 })
      .toBuffer();
    const seen = await engines.faces.detect(card, 'document', OPTIONS);
    expect(seen).toMatchObject({ outcome: 'pass', reasons: [] });
    expect(seen.face?.box.x).toBeGreaterThan(690);
    const compared = await engines.faces.compare(card, photo('img4.jpg'), OPTIONS);
    expect(compared.outcome).toBe('pass');
  });

  it('against a document without a portrait is left to a person', { timeout: 30_000 }, async () => {
    const card = await flat(1_011, 638).jpeg().toBuffer();
    const seen = await engines.faces.compare(card, photo('img1.jpg'), OPTIONS);
    expect(seen).toMatchObject({ outcome: 'review', reasons: ['no_portrait'], score: null });
  });
});
