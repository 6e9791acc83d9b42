import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { openBrowser } from '@constancia/testing/browser';
import type { Browser } from 'playwright-core';

/** A browser whose camera plays what it is shown. The file is read whenever a page opens the camera. */
export class FakeCamera {
  private constructor(
    readonly browser: Browser,
    private readonly folder: string,
  ) {}

  static async open(): Promise<FakeCamera> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'camera-'));
    const file = path.join(folder, 'video.mjpeg');
    fs.writeFileSync(file, await frameOf(await sharp({ create: { width: 8, height: 8, channels: 3, background: '#555' } }).png().toBuffer(), 'card')); // prettier-ignore
    const browser = await openBrowser([
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ]);
    return new FakeCamera(browser, folder);
  }

  /** Before the page opens the camera, which has this share of the usual pixels. */
  async show(picture: Buffer, shape: 'card' | 'face', scale = 1): Promise<void> {
    const whole = await frameOf(picture, shape);
    const frame = scale === 1 ? whole : await sharp(whole).resize(1280 * scale).jpeg().toBuffer(); // prettier-ignore
    this.play(Array.from({ length: 5 }, () => frame));
  }

  /** Before the page opens the camera: frames of `frameOf`, thirty a second, again and again. */
  play(frames: readonly Buffer[]): void {
    const file = path.join(this.folder, 'video.mjpeg');
    fs.writeFileSync(`${file}.new`, Buffer.concat(frames));
    fs.renameSync(`${file}.new`, file); // a page that opens the camera now has the old picture or the new one, never half of one
  }

  async close(): Promise<void> {
    await this.browser.close();
    fs.rmSync(this.folder, { recursive: true });
  }
}

/** Chromium stretches the grey values 16 to 235 of the video to 0 to 255: the picture is reduced to that range first. */
const STUDIO = [219 / 255, 16] as const;

/** A camera is wider than high: of a face the page looks at the middle. */
export async function frameOf(picture: Buffer, shape: 'card' | 'face'): Promise<Buffer> {
  const [width, height] = shape === 'card' ? [1280, 960] : [720, 960];
  const margin = (1280 - width) / 2;
  return sharp(picture)
    .toColourspace('srgb')
    .resize(width, height, { fit: 'cover', position: shape === 'face' ? 'attention' : 'centre' })
    .extend({ left: margin, right: margin, background: '#8a8f94' })
    .linear(...STUDIO)
    .jpeg({ quality: 90, chromaSubsampling: '4:2:0' })
    .toBuffer();
}
