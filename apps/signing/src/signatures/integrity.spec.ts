import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealedDocument, verifyDetached } from './integrity.ts';
import type { SignatureRequest } from './signature-request.entity.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
const bytes = Buffer.from('%PDF-1.7 sealed');
const signature = sign('sha256', bytes, privateKey);

test('the signed bytes verify, and the digest is theirs', () => {
  const { sha256, signed } = verifyDetached(bytes, signature, [other.toString(), pem]);
  expect(signed).toBe(true);
  expect(sha256.equals(createHash('sha256').update(bytes).digest())).toBe(true);
});

test('one changed byte, another key, a cut signature or no key at all do not verify', () => {
  const changed = Buffer.from(bytes);
  changed[10] = (changed[10] as number) ^ 1;
  expect(verifyDetached(changed, signature, [pem]).signed).toBe(false);
  expect(verifyDetached(bytes, signature, [other.toString()]).signed).toBe(false);
  expect(verifyDetached(bytes, signature.subarray(1), [pem]).signed).toBe(false);
  expect(verifyDetached(bytes, signature, []).signed).toBe(false);
});

test.each(['pending', 'failed'] as const)('a %s request has no document', (status) => {
  expect(() => sealedDocument({ status } as SignatureRequest)).toThrow(
    expect.objectContaining({ slug: 'state-conflict' }),
  );
});
