import { createHash, randomFillSync } from 'node:crypto';

/** Prefixes of the TypeIDs that the API shows (design: contract, "Identifiers"). */
export const ID_PREFIXES = [
  'tpl', 'sig', 'cir', 'env', 'sgn', 'flw', 'fls', 'sub', 'val', 'rul', 'scr', 'cas', 'dlv', 'att', 'ast', 'led', 'run', 'key', 'hld', 'whe', 'stp', 'lch', 'rcp', 'srv', 'mbr', 'top', 'mss', 'psk', 'ems', 'wlt', 'wss', 'wvr', 'wco', 'wdi', 'wpr', 'wcr', 'stl', 'wrc', 'wrp', 'oic', 'ntf', 'caf', 'scb', 'evb',
] as const; // prettier-ignore
export type IdPrefix = (typeof ID_PREFIXES)[number];

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const HEX = '0123456789abcdef';
/** The values of the characters of an alphabet, by their codes. */
const valuesOf = (alphabet: string) =>
  Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, alphabet.indexOf(String.fromCharCode(code).toLowerCase())));
const BASE32_VALUES = valuesOf(BASE32);
const HEX_VALUES = valuesOf(HEX);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SUFFIX = new RegExp(`^[0-7][${BASE32}]{25}$`);

const pool = Buffer.alloc(4096);
let offset = pool.length;

/** Random bytes for ids and nonces, drawn 4 KiB at a time: asking for each alone costs 20 times as much. Keys do not lie in a pool. */
export function randomFromPool(bytes: number): Buffer {
  const at = drawFromPool(bytes);
  return Buffer.from(pool.subarray(at, at + bytes));
}

/** Where the bytes are in the pool. They are given to nobody else. */
function drawFromPool(bytes: number): number {
  if (offset + bytes > pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += bytes;
  return offset - bytes;
}

/** A clock that is further back than this was wrong before: following it again matters more than the order. */
const MAX_AHEAD_MS = 10_000;
let lastMs = 0;
let sequence = 0;

/**
 * A UUID version 7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, a 12-bit counter that keeps ids of one
 * process in order within a millisecond, 62 random bits. Lower-case, hyphenated. A clock that goes back by up to 10 s
 * does not break the order; one that goes back further is followed.
 */
export function uuidv7(nowMs: number = Date.now()): string {
  const at = drawFromPool(10);
  if (nowMs > lastMs || nowMs < lastMs - MAX_AHEAD_MS) {
    lastMs = nowMs;
    sequence = pool.readUInt16BE(at) & 0x7ff;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const counter = (0x7000 | sequence).toString(16);
  pool[at + 2] = ((pool[at + 2] as number) & 0x3f) | 0x80;
  const rest = pool.toString('hex', at + 2, at + 10);
  return `${time.slice(0, 8)}-${time.slice(8)}-${counter}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** The UUID version 8 (RFC 9562 §5.8) of a text, by its SHA-256: the same text, the same id. */
export function uuidv8Of(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text is a UUID of any version, in any case. */
export function isUuid(text: string): boolean {
  return UUID.test(text.toLowerCase());
}

/** The smallest UUIDv7 of an instant: the lower bound of a time range over time-ordered ids. */
export function uuidFloor(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The instant (millisecond) that a UUIDv7 carries. */
export function uuidTime(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** Writes a UUID as a TypeID: `prefix_` and 26 characters of Crockford base32 (TypeID 0.3). */
export function typeId(prefix: IdPrefix, uuid: string = uuidv7()): string {
  let suffix = '';
  let pending = 0;
  let bits = 2; // 26 characters hold 130 bits: two zeros come first
  for (let at = 0; at < uuid.length; at++) {
    if (uuid[at] === '-') continue;
    pending = ((pending << 4) | (HEX_VALUES[uuid.charCodeAt(at)] as number)) & 0xff;
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    suffix += BASE32[(pending >> bits) & 31];
  }
  return `${prefix}_${suffix}`;
}

/** Reads the UUID out of a TypeID of this prefix; null when the text is anything else (answer 404 then). */
export function uuidOf(prefix: IdPrefix, id: string): string | null {
  if (!id.startsWith(`${prefix}_`)) return null;
  const suffix = id.slice(prefix.length + 1);
  if (!SUFFIX.test(suffix)) return null;
  let hex = '';
  let pending = 0;
  let bits = -2;
  for (let at = 0; at < suffix.length; at++) {
    pending = ((pending << 5) | (BASE32_VALUES[suffix.charCodeAt(at)] as number)) & 0x1ff;
    for (bits += 5; bits >= 4; bits -= 4) hex += HEX[(pending >> (bits - 4)) & 15];
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
