import sharp from 'sharp';

/** A photograph-like picture. */
export function picture(
  type: 'jpeg' | 'png' | 'webp' = 'jpeg',
  { width = 320, height = 200 }: { width?: number; height?: number } = {},
): Promise<Buffer> {
  const made = sharp({ create: { width, height, channels: 3, background: { r: 180, g: 120, b: 60 } } });
  return made.toFormat(type).toBuffer();
}

/** What a phone writes down beside the pixels: where, when, with which camera, and that it was held upright. */
export function phonePicture(): Promise<Buffer> {
  return sharp({ create: { width: 300, height: 200, channels: 3, background: { r: 90, g: 120, b: 60 } } })
    .withExif({
      IFD0: { Make: 'CanaryPhone', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '4/1 36/1 35/1', GPSLongitudeRef: 'W', GPSLongitude: '74/1 4/1 54/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** 12,000 × 12,000 pixels in some hundred kilobytes. */
export function bomb(): Promise<Buffer> {
  return sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
}
