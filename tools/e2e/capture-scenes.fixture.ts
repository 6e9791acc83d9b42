import sharp from 'sharp';
import { photographed } from '@constancia/document-reading/rendered';
import { frameOf } from '../../apps/person-web/e2e/fake-camera.ts';
import { type CaptureName, capture } from '../../libs/face-matching/src/passive/captures.fixture.ts';
import { type Eyes, subjectOf } from '../../libs/face-matching/src/passive/measured-captures.fixture.ts';

/** What a camera is made to see: frames as FakeCamera plays them, thirty a second. */
export type Video = readonly Buffer[];

const CAMERA_WIDTH = 1280;

/** A card that lies still before the camera, in colours, since a portrait on it is compared with a face. */
export async function cardVideo(card: Buffer): Promise<Video> {
  const channels = await Promise.all(
    ([0, 1, 2] as const).map(async (channel) => {
      const plane = await sharp(card).removeAlpha().toColourspace('srgb').extractChannel(channel).png().toBuffer();
      const photo = await photographed(plane, { width: CAMERA_WIDTH, quality: 100 });
      return sharp(photo).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
    }),
  );
  const { width, height } = channels[0]!.info;
  const raw = { width, height, channels: 1 } as const;
  const [red, ...others] = channels.map(({ data }) => data) as [Buffer, Buffer, Buffer];
  const photo = await sharp(red, { raw }).joinChannel(others, { raw }).toColourspace('srgb').png().toBuffer();
  return stillVideo(photo, 'card');
}

/** Any picture, without motion. */
export async function stillVideo(picture: Buffer, shape: 'card' | 'face'): Promise<Video> {
  const frame = await frameOf(picture, shape);
  return Array.from({ length: 5 }, () => frame);
}

/** A picture of which nothing may be cut off: on a wall, in the shape of a selfie. */
export const onWall = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(720, 960, { fit: 'contain', background: '#b9b4aa' }).png().toBuffer();

const FRAMES_EACH = 4;
/** Drawn frames of a face that moves and comes back, each shown for an eighth of a second: 3.2 seconds. */
const MOMENTS = Array.from({ length: 24 }, (_, nth) => (1 - Math.cos((2 * Math.PI * nth) / 24)) / 2);

/** Of what is drawn at random. */
const SEED = 7;

/** A person, or what somebody holds before the camera instead, drawn from a photo of ../shared/faces (captures.fixture.ts). */
export async function faceVideo(eyes: Eyes, file: string, name: CaptureName): Promise<Video> {
  const { frames } = await capture(await subjectOf(eyes, file), name, SEED, MOMENTS);
  const played = await Promise.all(frames.map((frame) => frameOf(frame, 'face')));
  return played.flatMap((frame) => Array.from({ length: FRAMES_EACH }, () => frame));
}
