import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { PictureRefused } from './picture-answer.ts';

/** More pixels than any phone's camera gives in a file of 10 MiB that is worth reading; decoding one more byte is never tried. */
export const MOST_PIXELS = 50_000_000;
/** What is kept: enough for the smallest print of a document that fills the picture. */
export const LONGEST_SIDE = 4_096;
/** Of a picture of one face that fills it: more than faces are compared by. */
export const FACE_SIDE = 1_024;
const JPEG_QUALITY = 92;

sharp.cache(false);
sharp.concurrency(1);

/** Of a logo: pixels that are decoded, and the longest side that is kept. */
export const LOGO_LIMITS = { pixels: 4_194_304, side: 512 } as const;

/**
 * Decodes a picture and encodes it again: a JPEG (4:4:4, quality 92, sRGB) of at most `side` pixels a side, turned as its EXIF says, and
 * with nothing in it but pixels: no EXIF, place, thumbnail, colour profile or bytes after the end. Throws PictureRefused.
 */
export async function cleanPicture(
  bytes: Buffer,
  side = LONGEST_SIDE,
): Promise<{ jpeg: Buffer; width: number; height: number }> {
  const picture = await still(bytes, MOST_PIXELS, side);
  const { data, info } = await encoded(
    picture.flatten({ background: '#ffffff' }).jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }),
  );
  return { jpeg: data, width: info.width, height: info.height };
}

/** The same for a logo: a PNG of at most 256 colours and 512 pixels a side, which keeps what is transparent. Throws PictureRefused. */
export async function cleanLogo(bytes: Buffer): Promise<{ png: Buffer; width: number; height: number }> {
  const picture = await still(bytes, LOGO_LIMITS.pixels, LOGO_LIMITS.side);
  const { data, info } = await encoded(picture.png({ palette: true, compressionLevel: 9 }));
  return { png: data, width: info.width, height: info.height };
}

/** A picture that is within its bounds, turned and made smaller, not decoded yet. */
async function still(bytes: Buffer, mostPixels: number, longestSide: number): Promise<Sharp> {
  const options = { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' } as const;
  const {
    width = 0,
    height = 0,
    pages = 1,
  } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new PictureRefused('unreadable');
    });
  if (width * height * pages > mostPixels) throw new PictureRefused('too_many_pixels');
  if (pages > 1) throw new PictureRefused('animated');
  return sharp(bytes, options)
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

function encoded(picture: Sharp): Promise<{ data: Buffer; info: OutputInfo }> {
  return picture.toBuffer({ resolveWithObject: true }).catch(() => {
    throw new PictureRefused('unreadable');
  });
}
