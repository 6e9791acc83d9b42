/**
 * SHA-256 (FIPS 180-4) and the check of an RSASSA-PKCS1-v1_5 signature (RFC 8017 §8.2.2) in plain script. Browsers give
 * WebCrypto to pages over https and to localhost alone; anyone who runs the service over plain http in a local network still gets
 * an answer. Only public values are handled, so that nothing depends on how long it takes.
 */

const PRIMES = firstPrimes(64);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

/** The first 32 bits after the point. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export function sha256(bytes: Uint8Array): Uint8Array {
  const state = Int32Array.from(INITIAL);
  const whole = bytes.length - (bytes.length % BLOCK);
  const schedule = new Int32Array(64);
  for (let at = 0; at < whole; at += BLOCK) mix(state, schedule, bytes.subarray(at, at + BLOCK));
  const rest = bytes.subarray(whole);
  const tail = new Uint8Array(rest.length < 56 ? BLOCK : 2 * BLOCK);
  tail.set(rest);
  tail[rest.length] = 0x80;
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < tail.length; at += BLOCK) mix(state, schedule, tail.subarray(at, at + BLOCK));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setInt32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

function mix(state: Int32Array, schedule: Int32Array, block: Uint8Array): void {
  const view = new DataView(block.buffer, block.byteOffset, BLOCK);
  const word = (index: number) => schedule[index] as number;
  for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(4 * t);
  for (let t = 16; t < 64; t++) {
    const [early, late] = [word(t - 15), word(t - 2)];
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[t] = word(t - 16) + small + word(t - 7) + large;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number, number, number, number, number, number, number, number,
  ]; // prettier-ignore
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const added = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUND[t] as number) + word(t)) | 0;
    const mixed = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + mixed) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] as number) + value));
}

/** DER of a DigestInfo of SHA-256, up to the digest (RFC 8017 §9.2, note 1). */
const SHA256_INFO = [0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20];

/**
 * Whether a signature over a SHA-256 digest was made with the private half of this key (SubjectPublicKeyInfo, DER). The whole
 * padded message is compared, so that nothing forged fits beside the digest.
 */
export function verifyRsaDigest(spki: Uint8Array, signature: Uint8Array, digest: Uint8Array): boolean {
  const { modulus, exponent, length } = rsaKey(spki);
  if (signature.length !== length) return false;
  const value = integer(signature);
  if (value >= modulus) return false;
  const filling = length - SHA256_INFO.length - digest.length - 3;
  if (filling < 8) return false;
  const expected = [0, 1, ...new Array<number>(filling).fill(0xff), 0, ...SHA256_INFO, ...digest];
  return power(value, exponent, modulus) === integer(Uint8Array.from(expected));
}

interface RsaKey {
  modulus: bigint;
  exponent: bigint;
  /** Of the modulus, in bytes. */
  length: number;
}

/** SEQUENCE { SEQUENCE algorithm, BIT STRING { SEQUENCE { INTEGER n, INTEGER e } } }. Throws TypeError on anything else. */
function rsaKey(spki: Uint8Array): RsaKey {
  const outer = element(spki, 0, 0x30);
  const algorithm = element(outer.content, 0, 0x30);
  const bits = element(outer.content, algorithm.end, 0x03);
  const key = element(bits.content.subarray(1), 0, 0x30);
  const n = element(key.content, 0, 0x02);
  const e = element(key.content, n.end, 0x02);
  const digits = n.content[0] === 0 ? n.content.subarray(1) : n.content;
  return { modulus: integer(digits), exponent: integer(e.content), length: digits.length };
}

/** The DER element of this tag at an offset: its content, and where it ends. */
function element(bytes: Uint8Array, at: number, tag: number): { content: Uint8Array; end: number } {
  if (bytes[at] !== tag) throw new TypeError('not an RSA public key');
  const first = bytes[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : Number(integer(bytes.subarray(at + 2, start)));
  if (start + length > bytes.length) throw new TypeError('not an RSA public key');
  return { content: bytes.subarray(start, start + length), end: start + length };
}

function integer(bytes: Uint8Array): bigint {
  return BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') || '0'}`);
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let factor = base % modulus, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}
