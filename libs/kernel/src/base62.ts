import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}

/** 32 random bytes as 43 base62 characters: the secret part of API keys and recovery tokens. */
export function randomSecret43(): string {
  return toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
}

/** 128 random bits as 22 base62 characters: names what anybody with the link may look at. */
export function randomId22(): string {
  return toBase62(BigInt(`0x${randomBytes(16).toString('hex')}`), 22);
}

/** CRC32 (ISO 3309) of a text as 6 base62 characters: detects a mistyped secret without asking a store. */
export function checksum6(text: string): string {
  return toBase62(BigInt(crc32(text)), 6);
}
