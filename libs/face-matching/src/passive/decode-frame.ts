import sharp from 'sharp';
import type { GreyImage } from './grey-image.ts';

/** Longer sides are shrunk to this: what the page sends has 640 px, and more costs time without telling more. */
const FRAME_SIDE_PX = 640;
const PIXEL_LIMIT = 64_000_000;

export interface DecodedFrame {
  image: GreyImage;
  /** Pixels of the image for one as uploaded. */
  scale: number;
}

/** A frame's luminance, upright by EXIF. Null: no picture that could be read. */
export async function decodeFrame(bytes: Uint8Array): Promise<DecodedFrame | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXEL_LIMIT, failOn: 'error', pages: 1 });
    const uploaded = await picture.metadata();
    const { data, info } = await picture
      .autoOrient()
      .flatten({ background: '#fff' })
      .resize(FRAME_SIDE_PX, FRAME_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 1) return null;
    return {
      image: { width: info.width, height: info.height, data: Float32Array.from(data) },
      scale: Math.max(info.width, info.height) / Math.max(uploaded.width, uploaded.height),
    };
  } catch {
    return null; // the decoder's words may quote the file
  }
}
