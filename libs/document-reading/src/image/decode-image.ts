import sharp from 'sharp';
import type { GreyImage } from './grey-image.ts';

/** More pixels than this are refused before anything is decoded; a phone's camera has 12 to 50 million. */
const PIXEL_LIMIT = 64_000_000;
const FORMATS = new Set(['jpeg', 'png', 'webp']);
/** Longer sides are shrunk to this while decoding: more detail only costs time. */
const WORKING_SIDE_PX = 2000;

/** The bytes are no JPEG, PNG or WebP, are damaged, or hold more pixels than PIXEL_LIMIT. */
export class NotAnImage extends Error {
  constructor() {
    super('The bytes are not a readable JPEG, PNG or WebP of at most 64 megapixels.');
  }
}

export interface DecodedImage {
  grey: GreyImage;
  /** Size as uploaded, before shrinking. */
  width: number;
  height: number;
}

/**
 * Decodes to grey, upright by EXIF, on white where transparent, at most 2,000 px on the long side. Throws NotAnImage for
 * whatever cannot be decoded within `deadlineMs` (libvips counts whole seconds).
 */
export async function decodeImage(bytes: Uint8Array, deadlineMs: number): Promise<DecodedImage> {
  try {
    const options = { limitInputPixels: PIXEL_LIMIT, failOn: 'error', pages: 1 } as const;
    const { format, width, height } = await sharp(bytes, options).metadata();
    if (!FORMATS.has(format)) throw new NotAnImage();
    const { data, info } = await sharp(bytes, options)
      .timeout({ seconds: Math.max(1, Math.ceil(deadlineMs / 1000)) })
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('b-w')
      .resize(WORKING_SIDE_PX, WORKING_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 1) throw new NotAnImage();
    const pixels = new Uint8Array(data.buffer, data.byteOffset, data.length);
    return { grey: { width: info.width, height: info.height, data: pixels }, width, height };
  } catch {
    throw new NotAnImage(); // the decoder's words may quote the file
  }
}
