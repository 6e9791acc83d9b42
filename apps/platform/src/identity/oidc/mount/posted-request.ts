import type { IncomingMessage } from 'node:http';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '@constancia/problem-json';

/** An address that browsers and proxies still carry. */
const MAX_BYTES = 7_000;

/**
 * The parameters of an authorization request that a page posted, to be sent on as those of an address: a request from another site
 * carries the cookies of the provider only when it is a plain navigation. Throws a problem for what is none.
 */
export async function postedParameters(request: IncomingMessage): Promise<string> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new UnsupportedMediaType('Send the body as application/x-www-form-urlencoded.');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new PayloadTooLarge(`Send at most ${MAX_BYTES} bytes, or push the request.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (!/^[\x21-\x7e]*$/.test(text)) throw new BadRequest('The form cannot be read: check its percent-encoding.');
  return new URLSearchParams(text).toString();
}
