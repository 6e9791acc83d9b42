import { shape } from '@constancia/contracts';
import { FILE_NAME_HEADER } from '@constancia/http';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { PdfStore } from './pdf-store.ts';

/** Where an uploaded PDF is, and what it is by its content. */
export interface UploadedPdf {
  key: string;
  sha256: Buffer;
}

/** Documents the headers of `uploadedAnswer`. */
export const UPLOADED_HEADERS = {
  'Content-Disposition': FILE_NAME_HEADER,
  ETag: { description: 'The SHA-256 of the PDF, hex, in quotes.', schema: { type: 'string' as const, ...shape.etag } },
};

/** The answer with a PDF as it was uploaded. `code`: names the file. */
export async function uploadedAnswer(
  { key, sha256 }: UploadedPdf,
  code: string,
  { store, reply }: { store: PdfStore; reply: FastifyReply },
): Promise<StreamableFile> {
  const { body, size } = await store.stream(key);
  reply.headers({ ETag: `"${sha256.toString('hex')}"`, 'Cache-Control': 'private, no-cache' });
  return new StreamableFile(body, {
    type: 'application/pdf',
    length: size,
    disposition: `attachment; filename="${code}.pdf"`,
  });
}
