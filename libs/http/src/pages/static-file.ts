import { createHash } from 'node:crypto';
import type { Reply, Request } from '../request/request-state.ts';

/** Bytes that are served as they are, with the tag of their content. */
export interface StaticFile {
  bytes: Buffer;
  type: string;
  etag: string;
}

export function staticFile(bytes: Buffer, type: string): StaticFile {
  return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
}

/** Answers with a file, or 304 to who holds it already. */
export function sendFile(file: StaticFile, request: Request, reply: Reply, cacheControl = 'no-cache'): Reply {
  reply.header('etag', file.etag).header('cache-control', cacheControl);
  const held = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (held?.some((tag) => tag === file.etag || tag === '*')) return reply.code(304).send();
  return reply.header('content-type', file.type).send(file.bytes);
}
