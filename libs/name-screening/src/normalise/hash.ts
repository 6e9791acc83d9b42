/** FNV-1a over UTF-16 code units, mixed so that the high bits serve as a bucket. Unsigned 32 bits. */
export function hash32(text: string, seed = 0): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** One more code unit on an unmixed FNV-1a hash. */
export const fnvStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export const FNV_START = 0x811c9dc5;

/** Spreads a hash over all its bits (the finaliser of MurmurHash3). */
export function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
