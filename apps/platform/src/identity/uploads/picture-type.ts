import { PICTURE_TYPES, type PictureType } from './asset.entity.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** What a file is by its first bytes, whatever its sender calls it; null when it is no picture that is taken. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  const riff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return riff ? 'image/webp' : null;
}

/** The picture type in a Content-Type header, without its parameters. */
export function declaredPictureType(header: string | undefined): PictureType | null {
  const plain = header?.split(';')[0]?.trim().toLowerCase();
  return PICTURE_TYPES.find((type) => type === plain) ?? null;
}
