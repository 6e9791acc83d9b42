import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySealedDocument } from './sealed-document.ts';

function keyPair(type: 'rsa' | 'ed25519') {
  const { publicKey, privateKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey };
}

const key = keyPair('rsa');
const pdf = Buffer.from('%PDF-1.7 sealed bytes');
const signatureHex = sign('sha256', pdf, key.privateKey).toString('hex');

describe('a sealed document', () => {
  it('is proved by its signature, and its digest is returned', () => {
    expect(verifySealedDocument({ pdf, signatureHex, publicKeyPem: key.publicKey })).toEqual({
      valid: true,
      sha256: createHash('sha256').update(pdf).digest('hex'),
    });
  });

  it('is not proved when one bit of it changed', () => {
    const altered = Buffer.from(pdf);
    altered[10] = (altered[10] as number) ^ 1;
    expect(verifySealedDocument({ pdf: altered, signatureHex, publicKeyPem: key.publicKey }).valid).toBe(false);
  });

  it('is not proved by another key, nor by something that is no signature', () => {
    const other = keyPair('rsa');
    expect(verifySealedDocument({ pdf, signatureHex, publicKeyPem: other.publicKey }).valid).toBe(false);
    for (const text of ['', 'zz', 'ab', `${signatureHex}00`]) {
      expect(verifySealedDocument({ pdf, signatureHex: text, publicKeyPem: key.publicKey }).valid).toBe(false);
    }
  });

  it('refuses a key that is no RSA key', () => {
    const { publicKey } = keyPair('ed25519');
    expect(() => verifySealedDocument({ pdf, signatureHex, publicKeyPem: publicKey })).toThrow(TypeError);
  });

  it('that every client is tested with is proved by the key and by its certificate', () => {
    const file = path.join(import.meta.dirname, '../vectors/sealed-document.json');
    const vector = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
    for (const publicKeyPem of [vector.public_key_pem, vector.certificate_pem] as string[]) {
      const sealed = {
        pdf: Buffer.from(vector.pdf_base64 as string, 'base64'),
        signatureHex: vector.signature_hex as string,
      };
      expect(verifySealedDocument({ ...sealed, publicKeyPem })).toEqual({ valid: true, sha256: vector.sha256 });
    }
  });
});
