import type { Json } from '@constancia/kernel';
import { TokenRefused } from './token-refused.ts';

export type JsonObject = { [name: string]: Json };

/** Values nested deeper than this are refused. */
const MAX_DEPTH = 16;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A plain object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes of base64url without padding (RFC 7515, section 2). Throws TokenRefused for any other spelling of the same bytes. */
export function decodeBase64url(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new TokenRefused('malformed', `${what} is not base64url`);
  return bytes;
}

/** The JSON value that base64url text holds. Throws TokenRefused when it is not JSON in UTF-8, too deep or names `__proto__`. */
export function decodeJson(text: string, what: string): Json {
  const bytes = decodeBase64url(text, what);
  let value: Json;
  try {
    value = JSON.parse(UTF8.decode(bytes)) as Json;
  } catch {
    throw new TokenRefused('malformed', `${what} is not JSON in UTF-8`);
  }
  checkNesting(value, what);
  return value;
}

/** The same for what has to be an object. */
export function decodeJsonObject(text: string, what: string): JsonObject {
  const value = decodeJson(text, what);
  if (!isJsonObject(value)) throw new TokenRefused('malformed', `${what} is not a JSON object`);
  return value;
}

/** `__proto__` is refused because a later copy by assignment would change an object's prototype. */
function checkNesting(value: Json, what: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new TokenRefused('malformed', `${what} is nested deeper than ${MAX_DEPTH} levels`);
  if (Object.hasOwn(value, '__proto__')) throw new TokenRefused('malformed', `${what} has a member __proto__`);
  for (const each of Object.values(value)) checkNesting(each, what, depth + 1);
}
