import { createHash } from 'node:crypto';
import { shape } from '@constancia/contracts';
import { canonicalJson } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { ApiHeader } from '@nestjs/swagger';

/** The headers of a request that may say of which version it is about. */
export interface ConditionalHeaders {
  'if-match'?: string;
}

/** If-Match compares strongly (RFC 9110 §13.1.1); without it any version may be there. */
export function ifMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');
}

/** The ETag of a JSON value: the same for the same content. */
export const contentEtag = (content: unknown): string =>
  `"${createHash('sha256').update(canonicalJson(content)).digest('hex')}"`;

/**
 * Reads If-Match for a `what` whose row is locked, and which has `etag`. Throws StateConflict when it has another one, unless it is
 * `wanted` already: so a request whose answer was lost can be sent again.
 */
export function requireMatch(ifMatch: string | undefined, etag: string, what: string, wanted?: string): void {
  if (ifMatches(ifMatch, etag) || wanted === etag) return;
  throw new StateConflict(`Somebody changed the ${what} since the version in If-Match: read it again.`);
}

/** Documents the header. `what`: of what it holds the etag. */
export const ApiIfMatch = (what: string): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: `An ETag of the ${what}: 409 state-conflict when somebody changed it since.`,
    schema: { type: 'string', ...shape.header },
  });

/** Documents the header of an answer, for its `headers`. */
export const ETAG_HEADER = {
  ETag: {
    description: 'The version of what is answered: send it as If-Match with a change.',
    schema: { type: 'string', ...shape.text(66) },
  },
} as const;
