import type { Json } from '@constancia/kernel';
import { refused } from './token-refused.ts';

export type JsonObject = { [name: string]: Json };

/** Arrays and objects nested deeper than this are refused: the outermost is the first level. */
export const MAX_JSON_DEPTH = 16;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A plain object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bytes of base64url without padding (RFC 7515, section 2). Throws TokenRefused for any other spelling of the same bytes. */
export function decodeBase64url(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw refused('malformed', `${what} is not base64url`);
  return bytes;
}

/** The JSON value that base64url text holds. Throws TokenRefused as `parseJson` does. */
export const decodeJson = (text: string, what: string): Json => parseJson(decodeBase64url(text, what), what);

/** The JSON value in bytes. Throws TokenRefused when they are not JSON in UTF-8, nested too deep or name `__proto__`. */
export function parseJson(bytes: Buffer, what: string): Json {
  let value: Json;
  try {
    value = JSON.parse(UTF8.decode(bytes)) as Json;
  } catch {
    throw refused('malformed', `${what} is not JSON in UTF-8`);
  }
  checkNesting(value, what);
  return value;
}

/** The same for what has to be an object. */
export function decodeJsonObject(text: string, what: string): JsonObject {
  const value = decodeJson(text, what);
  if (!isJsonObject(value)) throw refused('malformed', `${what} is not a JSON object`);
  return value;
}

/** `__proto__` is refused because a later copy by assignment would change an object's prototype. */
function checkNesting(value: Json, what: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_JSON_DEPTH) throw refused('malformed', `${what} is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (Object.hasOwn(value, '__proto__')) throw refused('malformed', `${what} has a member __proto__`);
  for (const each of Object.values(value)) checkNesting(each, what, depth + 1);
}
