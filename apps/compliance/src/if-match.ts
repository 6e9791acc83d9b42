import { shape } from '@constancia/contracts';
import { ApiHeader } from '@nestjs/swagger';

/** The headers of a request that may say of which version it is about. */
export interface ConditionalHeaders {
  'if-match'?: string;
}

/** If-Match compares strongly (RFC 9110 §13.1.1); without it any version may be there. */
export function ifMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');
}

/** Documents the header. `what`: of what it holds the etag. */
export const ApiIfMatch = (what: string): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: `An ETag of the ${what}: 409 state-conflict when somebody changed it since.`,
    schema: { type: 'string', ...shape.header },
  });
