import { createHash, randomBytes } from 'node:crypto';
import { KmsUnavailable, SigningKms, type SigningPublicKey } from '@constancia/kms';
import { ChainProblem, checkedChain, keyFingerprint, type SealingIdentity } from '@constancia/pdf-sealing';
import { DependencyUnavailable, ValidationError } from '@constancia/problem-json';
import { aliasOf, type SigningSettingsBody } from './signing-settings-view.ts';

/** A key of a tenant with its chain, as it was found to sign. */
export interface UsableKey {
  key: SigningPublicKey;
  identity: SealingIdentity;
}

/**
 * Checks that a tenant may use a key, that the chain is the key's, and that the key signs: what is wrong is a ValidationError with what to
 * change. Throws DependencyUnavailable while KMS does not answer.
 */
export async function usableKey(kms: SigningKms, tenantId: string, body: SigningSettingsBody): Promise<UsableKey> {
  checkAlias(tenantId, body.kms_key);
  const identity = chainOf(body.certificate_chain);
  try {
    const key = await kms.currentPublicKey(body.kms_key);
    if (keyFingerprint(identity.certificateDer) !== key.fingerprint)
      throw refused(
        '/certificate_chain',
        'other_key',
        "The first certificate is another key's: have one issued for the public key of kms_key.",
      );
    await trySignature(kms, key);
    return { key, identity };
  } catch (error) {
    throw error instanceof KmsUnavailable ? unavailable(error) : error;
  }
}

export const keyOfAnother = () =>
  refused('/kms_key', 'not_allowed', 'This key is used by the platform or by another tenant: give a key of your own.');

function checkAlias(tenantId: string, alias: string): void {
  const prefix = aliasOf(tenantId);
  if (alias === prefix || (alias.startsWith(`${prefix}-`) && alias.length <= prefix.length + 65)) return;
  throw refused('/kms_key', 'not_allowed', `Give an alias that names your tenant: ${prefix}, or that with -suffix.`);
}

function chainOf(pem: string): SealingIdentity {
  try {
    return checkedChain(pem);
  } catch (error) {
    throw error instanceof ChainProblem ? refused('/certificate_chain', error.code, error.message) : error;
  }
}

/** Of nothing that anybody could use as a signature. */
async function trySignature(kms: SigningKms, { keyArn, spkiDer }: SigningPublicKey): Promise<void> {
  const digest = createHash('sha256').update('Constancia: trial of a signing key').update(randomBytes(32)).digest();
  if (SigningKms.verify(spkiDer, digest, await kms.sign(keyArn, digest))) return;
  throw refused('/kms_key', 'key_unusable', 'A trial signature of this key does not verify with its public key.');
}

function unavailable(error: KmsUnavailable): Error {
  if (error.retryable)
    return new DependencyUnavailable('The key management service does not answer: send it again.', {}, {}, error);
  if (error.reason === 'refused')
    return refused(
      '/kms_key',
      'key_refused',
      'The service may not use this key: its operator allows kms:GetPublicKey and kms:Sign with it.',
    );
  return refused(
    '/kms_key',
    'key_unusable',
    'There is no such key, it is disabled, or it is no RSA key for signatures (RSASSA_PKCS1_V1_5_SHA_256).',
  );
}

const refused = (pointer: string, code: string, detail: string) => new ValidationError([{ pointer, code, detail }]);
