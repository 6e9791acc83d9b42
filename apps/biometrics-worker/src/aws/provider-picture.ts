import sharp from 'sharp';

/** Longest that Rekognition takes as bytes; Textract takes more. */
const MOST_BYTES = 5 * 1024 * 1024;
const PIXEL_LIMIT = 64_000_000;
const LONGEST_SIDE_PX = 4_000;
const QUALITY = 92;

export interface ProviderPicture {
  bytes: Uint8Array;
  /** Pixels, as sent. */
  width: number;
  height: number;
  /** Sent pixels times this are pixels as uploaded. */
  scale: number;
}

/** The bytes are no picture that could be sent. */
export class NotAPicture extends Error {
  constructor() {
    super('the bytes are no picture that the service takes');
    this.name = 'InvalidImageFormatException';
  }
}

/** A picture as the services take it: JPEG or PNG of at most 5 MB; others are encoded again. Throws NotAPicture. */
export async function providerPicture(picture: Uint8Array): Promise<ProviderPicture> {
  try {
    const image = sharp(picture, { limitInputPixels: PIXEL_LIMIT, failOn: 'error', pages: 1 });
    const { format, width, height, orientation = 1 } = await image.metadata();
    const taken = ['jpeg', 'png'].includes(format) && picture.length <= MOST_BYTES && orientation === 1;
    if (taken) return { bytes: picture, width, height, scale: 1 };
    const { data, info } = await image
      .autoOrient()
      .resize(LONGEST_SIDE_PX, LONGEST_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    const scale = Math.max(width, height) / Math.max(info.width, info.height);
    return { bytes: new Uint8Array(data), width: info.width, height: info.height, scale };
  } catch {
    throw new NotAPicture(); // the decoder's words may quote the file
  }
}
