import { shape } from '@constancia/contracts';
import { X509Certificate } from 'node:crypto';
import { ApiProperty } from '@nestjs/swagger';
import type { SigningKey } from './signing-key.entity.ts';

export const KEY_ARN_EXAMPLE = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const FINGERPRINT_EXAMPLE = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';

export class SigningKeyView {
  @ApiProperty({
    ...shape.keyArn,
    description: 'Identifier of the key in the key management service.',
    example: KEY_ARN_EXAMPLE,
  })
  key_arn: string;

  @ApiProperty({
    description: 'SHA-256 of the SubjectPublicKeyInfo (DER), hex.',
    pattern: '^[0-9a-f]{64}$',
    example: FINGERPRINT_EXAMPLE,
  })
  fingerprint: string;

  @ApiProperty({ ...shape.text(64), example: 'RSASSA_PKCS1_V1_5_SHA_256' })
  algorithm: string;

  @ApiProperty({
    ...shape.text(8192),
    description: 'The public key, PEM (SubjectPublicKeyInfo).',
    example: '-----BEGIN PUBLIC KEY-----\nMIIBIjANBg…',
  })
  public_key_pem: string;

  @ApiProperty({
    ...shape.text(65536),
    type: 'string',
    nullable: true,
    description: "X.509 certificate of the key, PEM, and its issuers' after it if it has any; null while it has none.",
    example: '-----BEGIN CERTIFICATE-----\nMIIDdTCCAl2gAw…',
  })
  certificate_pem: string | null;

  @ApiProperty({
    format: 'uri',
    description: 'Public address of the key: no API key needed.',
    example: `https://signing.example.com/keys/${FINGERPRINT_EXAMPLE}.pem`,
  })
  public_key_url: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    nullable: true,
    description: 'Public address of the certificate: no API key needed; null while it has none.',
    example: `https://signing.example.com/keys/${FINGERPRINT_EXAMPLE}.crt`,
  })
  certificate_url: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({
    enum: ['active', 'retired'],
    description: 'A retired key signs nothing new; its signatures stay valid.',
  })
  status: 'active' | 'retired';

  @ApiProperty({
    enum: ['platform', 'tenant'],
    description: 'Whose key it is: one of the platform signs for every tenant that has set none of its own.',
  })
  owner: 'platform' | 'tenant';

  static of(key: SigningKey, signingUrl: string): SigningKeyView {
    const fingerprint = key.fingerprint.toString('hex');
    return {
      key_arn: key.key_arn,
      fingerprint,
      algorithm: key.algorithm,
      public_key_pem: key.public_key_pem,
      certificate_pem: certificatePem(key),
      public_key_url: `${signingUrl}/keys/${fingerprint}.pem`,
      certificate_url: key.certificate_der && `${signingUrl}/keys/${fingerprint}.crt`,
      created_at: key.created_at.toISOString(),
      status: key.status,
      owner: key.tenant_id === null ? 'platform' : 'tenant',
    };
  }
}

/** PEM of a key's certificate, followed by its issuers'; null while it has none. */
export function certificatePem({ certificate_der, certificate_chain_der }: SigningKey): string | null {
  if (!certificate_der) return null;
  return [certificate_der, ...certificate_chain_der].map((der) => new X509Certificate(der).toString()).join('');
}

export class SigningKeyList {
  @ApiProperty({ maxItems: 1_000, type: () => [SigningKeyView] })
  data: SigningKeyView[];
}
