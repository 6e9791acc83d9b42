const NEW_KEY = 'generate one with `openssl rand -base64 32`';
const NEW_TOKEN = 'generate one with `openssl rand -hex 32`';

/** 32 random bytes have about 30 different ones; fewer than 20 is less likely than one in 10^15. */
const FEWEST_BYTES = 20;
/** 43 random characters have about 31 different ones, 64 hexadecimal digits 15. */
const FEWEST_CHARACTERS = 9;

/** Why one of these keys (base64 of 32 bytes, comma-separated) may not be used in production; undefined when none is weak. */
export function keyProblem(text: string): string | undefined {
  const weak = text.split(',').some((key) => isWeak(Buffer.from(key.trim(), 'base64')));
  return weak ? `is not random: ${NEW_KEY}` : undefined;
}

/** Why a token may not be used in production. */
export function tokenProblem(token: string): string | undefined {
  const isHex = /^[0-9a-f]+$/i.test(token);
  if (token.length < (isHex ? 64 : 43)) return `is shorter than 32 random bytes: ${NEW_TOKEN}`;
  const bytes = Buffer.from(token);
  const isRandom = new Set(bytes).size >= FEWEST_CHARACTERS && !isPattern(bytes);
  return isRandom ? undefined : `is not random: ${NEW_TOKEN}`;
}

function isWeak(bytes: Buffer): boolean {
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText || new Set(bytes).size < FEWEST_BYTES || isPattern(bytes);
}

/** Repeats itself, or counts up or down. */
function isPattern(bytes: Buffer): boolean {
  const half = Math.floor(bytes.length / 2);
  const repeats = Array.from({ length: half }, (_, nth) => nth + 1).some((period) =>
    bytes.every((byte, nth) => byte === bytes[nth % period]),
  );
  const step = (bytes[1] ?? 0) - (bytes[0] ?? 0);
  const counts = bytes.every((byte, nth) => nth === 0 || ((byte - (bytes[nth - 1] ?? 0) - step) & 0xff) === 0);
  return repeats || counts;
}
