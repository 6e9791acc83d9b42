import sharp from 'sharp';
import { PictureRefused } from './picture-answer.ts';

/** More pixels than any phone's camera gives in a file of 10 MiB that is worth reading; decoding one more byte is never tried. */
export const MOST_PIXELS = 50_000_000;
/** What is kept: enough for the smallest print of a document that fills the picture. */
export const LONGEST_SIDE = 4_096;
const JPEG_QUALITY = 92;

sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a picture and encodes it again: a JPEG (4:4:4, quality 92, sRGB) of at most 4,096 pixels a side, turned as its EXIF says, and
 * with nothing in it but pixels: no EXIF, place, thumbnail, colour profile or bytes after the end. Throws PictureRefused.
 */
export async function cleanPicture(bytes: Buffer): Promise<{ jpeg: Buffer; width: number; height: number }> {
  const options = { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn: 'error' } as const;
  const {
    width = 0,
    height = 0,
    pages = 1,
  } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new PictureRefused('unreadable');
    });
  if (width * height * pages > MOST_PIXELS) throw new PictureRefused('too_many_pixels');
  if (pages > 1) throw new PictureRefused('animated');
  try {
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    return { jpeg: data, width: info.width, height: info.height };
  } catch {
    throw new PictureRefused('unreadable');
  }
}
