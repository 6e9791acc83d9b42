import sharp from 'sharp';
import { Deadline } from '@constancia/kernel';
import type { Eyes } from '../look.ts';

export { portraitCorrelation } from './portrait-copy.ts';
export { COPY_THRESHOLDS } from './thresholds.ts';

type Copy = (picture: Buffer, eyes: Eyes) => Promise<Buffer>;

const shrunk = (picture: Buffer, side: number, quality: number) =>
  sharp(picture).resize(side, side, { fit: 'inside' }).jpeg({ quality }).toBuffer();

/** Ways to make a selfie of a document's portrait without a camera. */
export const COPIES: Record<string, Copy> = {
  '300 px, JPEG 30': (picture) => shrunk(picture, 300, 30),
  '480 px, JPEG 50': (picture) => shrunk(picture, 480, 50),
  '900 px, JPEG 95': (picture) => shrunk(picture, 900, 95),
  'the face cut out, 400 px, JPEG 60': cutOut,
  'the face cut out, 240 px, JPEG 30': async (picture, eyes) => shrunk(await cutOut(picture, eyes), 240, 30),
  brighter: (picture) => sharp(picture).linear(1.25, 10).jpeg({ quality: 80 }).toBuffer(),
  darker: (picture) => sharp(picture).linear(0.6, 0).jpeg({ quality: 80 }).toBuffer(),
  'another gamma': (picture) => sharp(picture).gamma(1.6).jpeg({ quality: 70 }).toBuffer(),
  'turned by 6 degrees': (picture) => sharp(picture).rotate(6).jpeg({ quality: 80 }).toBuffer(),
  mirrored: (picture) => sharp(picture).flop().jpeg({ quality: 70 }).toBuffer(),
};

async function cutOut(picture: Buffer, eyes: Eyes): Promise<Buffer> {
  const upright = await sharp(picture).autoOrient().toBuffer({ resolveWithObject: true });
  const { face } = await eyes.look(upright.data, 'document', new Deadline(60_000));
  const { x, y, width, height } = (face as NonNullable<typeof face>).box;
  const [left, top] = [Math.max(0, Math.round(x - 0.35 * width)), Math.max(0, Math.round(y - 0.35 * height))];
  return sharp(upright.data)
    .extract({
      left,
      top,
      width: Math.min(upright.info.width - left, Math.round(width * 1.7)),
      height: Math.min(upright.info.height - top, Math.round(height * 1.7)),
    })
    .resize(400)
    .jpeg({ quality: 60 })
    .toBuffer();
}
