/// <reference types="node" />
import fs from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sharedPath } from '@constancia/testing/shared-folder';
import { frameOf } from './camera-frame.fixture.ts';
import { type FaceAdvice, FaceGuide } from './face-guide.ts';
import type { GreyFrame } from './grey-frame.ts';

const folder = sharedPath('faces');

/** What is said about a face that is held still for a second. */
function adviceAfterASecond(frame: GreyFrame): FaceAdvice {
  const guide = new FaceGuide();
  let advice: FaceAdvice = 'empty';
  for (let atMs = 0; atMs <= 1000; atMs += 100) advice = guide.look(frame, atMs).advice;
  return advice;
}

/** A photo as the camera of a phone shows it. Blur in pixels of 480. */
async function seen(photo: string, blur: number, dim: number): Promise<GreyFrame> {
  const whole = await sharp(photo).resize(480, 640, { fit: 'cover', position: 'attention' }).toBuffer();
  const lit = sharp(whole).linear(dim, 0);
  return frameOf(blur > 0 ? lit.blur(blur) : lit, 480, 640);
}

describe('the guidance for selfies', () => {
  it.skipIf(folder === undefined)('takes faces, and no blurred or dark ones', { timeout: 60_000 }, async () => {
    const photos = fs.readdirSync(folder as string).filter((name) => /^img\d*[05]\.jpg$/.test(name));
    const counted = { taken: 0, blurred: 0, dark: 0 };
    for (const name of photos) {
      const photo = `${folder}/${name}`;
      if (adviceAfterASecond(await seen(photo, 0, 1)) === 'take') counted.taken += 1;
      if (adviceAfterASecond(await seen(photo, 7, 1)) === 'blurred') counted.blurred += 1;
      if (adviceAfterASecond(await seen(photo, 0, 0.18)) === 'dark') counted.dark += 1;
    }
    console.info(
      `Selfies: of ${photos.length} photos ${counted.taken} taken; blurred, ${counted.blurred} called so; darkened, ${counted.dark} called so.`,
    );
    for (const count of Object.values(counted)) expect(count).toBeGreaterThanOrEqual(photos.length * 0.95);
  });

  const flat = (grey: number): GreyFrame => ({ width: 480, height: 640, data: new Uint8Array(480 * 640).fill(grey) });

  it('asks for a face where there is a wall, and for light where there is none', () => {
    expect(adviceAfterASecond(flat(180))).toBe('empty');
    expect(adviceAfterASecond(flat(12))).toBe('dark');
  });

  it('waits until nothing moves', () => {
    const checks = (shift: number): GreyFrame => ({
      width: 480,
      height: 640,
      data: Uint8Array.from({ length: 480 * 640 }, (_, at) => ((((at % 480) + shift) >> 5) % 2 === 0 ? 200 : 60)),
    });
    const guide = new FaceGuide();
    const said = [0, 16, 0, 0, 0, 0, 0, 0, 0, 0].map((shift, nth) => guide.look(checks(shift), nth * 150).advice);
    expect(said.slice(0, 3)).toEqual(['moving', 'moving', 'moving']);
    expect(said[3]).toBe('hold');
    expect(said.at(-1)).toBe('take');
  });
});
