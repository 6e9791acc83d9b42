import { Deadline } from '@constancia/kernel';
import sharp from 'sharp';
import type { Eyes } from '../look.ts';
import { photo } from '../shared-faces.fixture.ts';
import { analyseFrames } from './analyse-frames.ts';
import { type Capture, type CaptureName, type Subject, capture } from './captures.fixture.ts';
import { decodeFrame } from './decode-frame.ts';
import type { GreyImage } from './grey-image.ts';
import { type PassiveVerdict, verdictOf } from './verdict.ts';

export type { Eyes };

const PLENTY_MS = 120_000;
/** Longer sides of the photos that captures are drawn from. */
const PHOTO_SIDE_PX = 1_024;

/** The aligned face of an encoded picture. */
export async function chipOf(eyes: Eyes, picture: Uint8Array): Promise<Uint8Array | null> {
  const { chip } = await eyes.look(picture, 'document', new Deadline(PLENTY_MS));
  return chip;
}

/** A photo of ../shared/faces as captures are drawn from it. */
export async function subjectOf(eyes: Eyes, file: string): Promise<Subject> {
  const shrunk = await sharp(photo(file))
    .autoOrient()
    .resize(PHOTO_SIDE_PX, PHOTO_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer();
  const { face } = await eyes.look(shrunk, 'selfie', new Deadline(PLENTY_MS));
  const { data, info } = await sharp(shrunk).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { x, y, width, height } = (face as NonNullable<typeof face>).box;
  return {
    photo: { width: info.width, height: info.height, data: Float32Array.from(data) },
    face: { left: x, top: y, right: x + width, bottom: y + height },
  };
}

/** What the engine says of a capture, where its face is being known. */
export async function judged({ frames, face }: Capture): Promise<PassiveVerdict> {
  const images: GreyImage[] = [];
  for (const frame of frames) {
    const decoded = await decodeFrame(frame);
    if (decoded) images.push(decoded.image);
  }
  return verdictOf({ ...analyseFrames(images, face), samePerson: true });
}

export interface JudgedCapture {
  file: string;
  name: CaptureName;
  verdict: PassiveVerdict;
}

/** One capture of each name for every photo. */
export async function judgedCaptures(eyes: Eyes, files: string[], names: CaptureName[]): Promise<JudgedCapture[]> {
  const all: JudgedCapture[] = [];
  for (const [at, file] of files.entries()) {
    const subject = await subjectOf(eyes, file);
    for (const [nth, name] of names.entries()) {
      all.push({ file, name, verdict: await judged(await capture(subject, name, at * 100 + nth)) });
    }
  }
  return all;
}
