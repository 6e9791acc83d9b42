import { sha256Hex } from './digest.ts';

/** The value of a signature in a PDF: hexadecimal digits between angle brackets. */
const CONTENTS = /\/Contents\s*<([0-9A-Fa-f\s]{200,200000})>/g;
/** In DER: the algorithm of an RSA key. The four bytes before it begin its SubjectPublicKeyInfo, with its length. */
const RSA = '300d06092a864886f70d0101010500';
/** More signatures, or certificates in them, are not looked at. */
const MOST_KEYS = 12;

/** The fingerprints (hex SHA-256 of the SubjectPublicKeyInfo) of the RSA keys whose certificates are in a PDF's signatures. */
export async function keysIn(bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const text = new TextDecoder('latin1').decode(bytes);
  const found = new Set<string>();
  for (const [, digits = ''] of text.matchAll(CONTENTS)) {
    const hex = digits.replace(/\s+/g, '').toLowerCase();
    for (let at = hex.indexOf(RSA); at !== -1 && found.size < MOST_KEYS; at = hex.indexOf(RSA, at + 1)) {
      const key = keyAt(hex, at);
      if (key !== null) found.add(await sha256Hex(key));
    }
  }
  return [...found];
}

function keyAt(hex: string, algorithmAt: number): Uint8Array<ArrayBuffer> | null {
  const head = hex.slice(algorithmAt - 8, algorithmAt);
  if (!head.startsWith('3082')) return null;
  const digits = hex.slice(algorithmAt - 8, algorithmAt + 2 * parseInt(head.slice(4), 16));
  const bytes = digits.match(/../g)?.map((byte) => parseInt(byte, 16)) ?? [];
  return bytes.length === parseInt(head.slice(4), 16) + 4 ? Uint8Array.from(bytes) : null;
}
