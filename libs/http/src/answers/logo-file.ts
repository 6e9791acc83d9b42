import { NotFound } from '@constancia/problem-json';
import { applyDecorators, Header, StreamableFile } from '@nestjs/common';

export const PNG = 'image/png';
const SHA256 = /^[0-9a-f]{64}$/;

/** The headers of a logo, which anybody may load. */
export const LogoHeaders = (): MethodDecorator =>
  applyDecorators(
    Header('Content-Type', PNG),
    Header('Cache-Control', 'public, max-age=31536000, immutable'), // the address names its content
    Header('Cross-Origin-Resource-Policy', 'cross-origin'), // pages of other hosts and mails show it
  );

/** The logo with this SHA-256. Throws NotFound, also for what is none. */
export async function logoFile(
  sha256: string,
  find: (sha256: Buffer) => Promise<{ bytes: Buffer | null }[]>,
): Promise<StreamableFile> {
  const [row] = SHA256.test(sha256) ? await find(Buffer.from(sha256, 'hex')) : [];
  if (!row?.bytes) throw new NotFound();
  return new StreamableFile(row.bytes, { type: PNG, length: row.bytes.length });
}
