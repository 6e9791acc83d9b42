import { createHash } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';

/** What makes two requests the same request. */
export interface RequestIdentity {
  method: string;
  /** Route template, for example /v1/signatures. */
  route: string;
  /** Path parameters by name. */
  params?: Record<string, string>;
  /** The parsed JSON body, or raw bytes. */
  body?: unknown;
  contentType?: string;
}

/** SHA-256 over method, route, path parameters, content type and canonical body. Member order and white space do not count. */
export function requestFingerprint(request: RequestIdentity): Buffer {
  const hash = createHash('sha256');
  hash.update(canonicalJson([request.method.toUpperCase(), request.route, request.params ?? {}, mediaType(request)]));
  hash.update('\0');
  if (Buffer.isBuffer(request.body)) hash.update(request.body);
  else if (request.body !== undefined) hash.update(canonicalJson(request.body));
  return hash.digest();
}

function mediaType(request: RequestIdentity): string {
  return (request.contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
