/**
 * A keyset position, opaque to callers: base64url of a JSON array of the last row's sort keys.
 */
export function encodeCursor(keys: (string | number)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** Reads a cursor of `length` keys; null when it was not made by encodeCursor (answer 400 then). */
export function decodeCursor(cursor: string, length: number): (string | number)[] | null {
  if (!/^[A-Za-z0-9_-]{1,512}$/.test(cursor)) return null;
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(keys) || keys.length !== length) return null;
    return keys.every((key) => typeof key === 'string' || typeof key === 'number') ? keys : null;
  } catch {
    return null;
  }
}
