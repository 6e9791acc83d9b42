import { createPublicKey } from 'node:crypto';
import type { PublicKeyInfrastructure } from '../../../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';
import { aliasOf } from './signing-settings-view.ts';

/** One action of the development KMS, as its protocol has it. */
export async function kmsAction<Answer = unknown>(url: string, action: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-amz-target': `TrentService.${action}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

export interface TenantKmsKey {
  alias: string;
  keyId: string;
  keyArn: string;
  spkiDer: Buffer;
  publicKeyPem: string;
}

/** An RSA key in the development KMS with an alias; without one, that of the tenant. */
export async function tenantKmsKey(url: string, tenantId: string, suffix = ''): Promise<TenantKmsKey> {
  const { KeyMetadata } = await kmsAction<{ KeyMetadata: { KeyId: string; Arn: string } }>(url, 'CreateKey', {
    KeySpec: 'RSA_2048',
  });
  const alias = `${aliasOf(tenantId)}${suffix}`;
  await kmsAction(url, 'CreateAlias', { AliasName: alias, TargetKeyId: KeyMetadata.KeyId });
  const { PublicKey } = await kmsAction<{ PublicKey: string }>(url, 'GetPublicKey', { KeyId: alias });
  const spkiDer = Buffer.from(PublicKey, 'base64');
  const publicKeyPem = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
  return { alias, keyId: KeyMetadata.KeyId, keyArn: KeyMetadata.Arn, spkiDer, publicKeyPem };
}

/** What PUT /v1/signing-settings takes: the key with a chain for it. */
export function settingsFor(pki: PublicKeyInfrastructure, { alias, spkiDer, keyId }: TenantKmsKey, days = 60) {
  const { pem } = pki.issue({ name: `seal-${keyId}`, profile: 'signer', days, spkiDer });
  return { kms_key: alias, certificate_chain: pem };
}
