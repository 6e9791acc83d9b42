import { matchesETag } from '@constancia/http';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { PdfStore } from '../pdf-store.ts';
import { integrityHeaders, type SealedDocument } from './integrity.ts';

/** The answer with a sealed PDF and what proves it; 304, without a body, to a client that holds it already. `name`: of the file. */
export async function sealedAnswer(
  document: SealedDocument,
  name: string,
  { store, reply, ifNoneMatch }: { store: PdfStore; reply: FastifyReply; ifNoneMatch: string | undefined },
): Promise<StreamableFile | undefined> {
  const headers = integrityHeaders(document, name);
  if (matchesETag(ifNoneMatch, document.document_sha256.toString('hex'))) {
    reply.status(304).headers(headers);
    return undefined;
  }
  const { body, size } = await store.stream(document.document_key);
  reply.headers(headers); // after the file was opened: a problem answer carries no integrity headers
  return new StreamableFile(body, { type: 'application/pdf', length: size });
}
