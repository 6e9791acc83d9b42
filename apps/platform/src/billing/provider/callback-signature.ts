import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parts that a signature covers; one that the request lacks is left out of the text. */
export interface SignedParts {
  dataId: string | undefined;
  requestId: string | undefined;
  ts: string;
}

/** `x-signature: ts=1700000000,v1=<64 hex digits>`; null for anything else. */
export function parseSignature(header: string): { ts: string; v1: string } | null {
  const parts = new Map(header.split(',').map((part) => splitAt(part.trim(), '=')));
  const [ts, v1] = [parts.get('ts'), parts.get('v1')];
  if (ts === undefined || v1 === undefined || !/^\d{9,14}$/.test(ts) || !/^[0-9a-f]{64}$/i.test(v1)) return null;
  return { ts, v1: v1.toLowerCase() };
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** `id:<data.id>;request-id:<x-request-id>;ts:<ts>;` */
export function signedText({ dataId, requestId, ts }: SignedParts): string {
  const id = dataId === undefined ? '' : `id:${dataId};`;
  const request = requestId === undefined ? '' : `request-id:${requestId};`;
  return `${id}${request}ts:${ts};`;
}

export const signatureOf = (secret: string, parts: SignedParts): string =>
  createHmac('sha256', secret).update(signedText(parts)).digest('hex');

/**
 * Whether one of the secrets made the signature. The provider's own libraries disagree about the letter case of data.id, so the id counts
 * as received, in lower case and in upper case.
 */
export function signatureHolds(secrets: readonly string[], parts: SignedParts, v1: string): boolean {
  const { dataId } = parts;
  const ids = dataId === undefined ? [undefined] : [...new Set([dataId, dataId.toLowerCase(), dataId.toUpperCase()])];
  const given = Buffer.from(v1, 'hex');
  let holds = false;
  for (const secret of secrets) {
    for (const id of ids) {
      const expected = Buffer.from(signatureOf(secret, { ...parts, dataId: id }), 'hex');
      if (timingSafeEqual(expected, given)) holds = true; // goes on: the time must not tell which one it was
    }
  }
  return holds;
}

/** The provider's libraries disagree about the unit too: what would be after the year 5138 in seconds is in milliseconds. */
export function signedAtMs(ts: string): number {
  const value = Number(ts);
  return value >= 100_000_000_000 ? value : value * 1_000;
}
