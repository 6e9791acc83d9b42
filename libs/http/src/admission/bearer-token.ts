import type { IncomingHttpHeaders } from 'node:http';

/** The bearer token of a request, when it begins with the prefix; undefined without a prefix. */
export function bearerToken(
  { authorization = '' }: IncomingHttpHeaders,
  prefix: string | undefined,
): string | undefined {
  if (prefix === undefined) return undefined;
  const token = /^Bearer +(\S{1,4096})$/i.exec(authorization)?.[1];
  return token?.startsWith(prefix) ? token : undefined;
}
