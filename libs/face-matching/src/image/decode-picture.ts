import sharp from 'sharp';
import { Pyramid } from './rgb-image.ts';

/** More pixels than this are refused before anything is decoded; a phone's camera has 12 to 50 million. */
const PIXEL_LIMIT = 64_000_000;
const FORMATS = new Set(['jpeg', 'png', 'webp']);
/** Longer sides are shrunk to this while decoding: a face that matters is large enough then, and more only costs time. */
const WORKING_SIDE_PX = 1024;
/** Shorter sides hold no face that could be compared. */
const SMALLEST_SIDE_PX = 32;

/** not_an_image: no JPEG, PNG or WebP, damaged, or more pixels than PIXEL_LIMIT. too_small: hardly any pixels. */
export class NotAPicture extends Error {
  constructor(readonly reason: 'not_an_image' | 'too_small') {
    super('The bytes are not a readable JPEG, PNG or WebP of at most 64 megapixels, or hold hardly any.');
  }
}

export interface DecodedPicture {
  pyramid: Pyramid;
  /** Pixels as uploaded for one of the decoded picture. */
  scale: number;
}

/**
 * Decodes to RGB, upright by EXIF, on white where transparent, at most 1,024 px on the long side. Throws NotAPicture for whatever
 * cannot be decoded within `deadlineMs` (libvips counts whole seconds).
 */
export async function decodePicture(bytes: Uint8Array, deadlineMs: number): Promise<DecodedPicture> {
  try {
    const options = { limitInputPixels: PIXEL_LIMIT, failOn: 'error', pages: 1 } as const;
    const { format, width, height } = await sharp(bytes, options).metadata();
    if (!FORMATS.has(format)) throw new NotAPicture('not_an_image');
    if (Math.min(width, height) < SMALLEST_SIDE_PX) throw new NotAPicture('too_small');
    const { data, info } = await sharp(bytes, options)
      .timeout({ seconds: Math.max(1, Math.ceil(deadlineMs / 1000)) })
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .resize(WORKING_SIDE_PX, WORKING_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw new NotAPicture('not_an_image');
    if (Math.min(info.width, info.height) < SMALLEST_SIDE_PX) throw new NotAPicture('too_small');
    const pixels = new Uint8Array(data.buffer, data.byteOffset, data.length);
    return {
      pyramid: new Pyramid({ width: info.width, height: info.height, data: pixels }),
      scale: Math.max(width, height) / Math.max(info.width, info.height),
    };
  } catch (error) {
    throw error instanceof NotAPicture ? error : new NotAPicture('not_an_image'); // the decoder's words may quote the file
  }
}
