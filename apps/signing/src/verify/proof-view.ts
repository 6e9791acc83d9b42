import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { KEY_ARN_EXAMPLE, SigningKeyView } from '../signing-keys/signing-key-view.ts';
import { SigningKeys } from '../signing-keys/signing-keys.ts';
import type { Proof } from '../signatures/integrity.ts';
import { signingKeyOf } from './signing-key-of.ts';

const SHA256 = '^[0-9a-f]{64}$';
const nullable = { type: 'string', nullable: true } as const;

/** What a third party verifies a sealed document with; every member is null until there is one. */
export class ProofView {
  @ApiProperty({
    ...nullable,
    pattern: SHA256,
    description: 'SHA-256 of the sealed PDF, hex.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  document_sha256: string | null;

  @ApiProperty({ ...shape.keyArn, ...nullable, description: 'The key that signed.', example: KEY_ARN_EXAMPLE })
  kms_key_arn: string | null;

  @ApiProperty({ ...shape.signature, ...nullable, description: 'RSASSA-PKCS1-v1_5 over that digest, hex.' })
  signature: string | null;

  @ApiProperty({ ...shape.text(64), ...nullable, example: 'RSASSA_PKCS1_V1_5_SHA_256' })
  signature_algorithm: string | null;

  @ApiProperty({ ...nullable, format: 'date-time', example: '2026-11-21T15:04:07.012Z' })
  signed_at: string | null;

  @ApiProperty({
    ...nullable,
    format: 'uri',
    description: 'The public key that the signature verifies with; null when no published key does.',
  })
  public_key_url: string | null;

  @ApiProperty({ ...nullable, format: 'uri', description: 'Its certificate; null while it has none.' })
  certificate_url: string | null;
}

/** Makes the proofs that are shown, with the addresses of the key that really made each signature. */
@Injectable()
export class Proofs {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: SigningConfig,
  ) {}

  async of(proof: Proof): Promise<ProofView> {
    const addresses = await this.addressesOf(proof);
    return {
      document_sha256: proof.document_sha256?.toString('hex') ?? null,
      kms_key_arn: proof.kms_key_arn,
      signature: proof.signature?.toString('hex') ?? null,
      signature_algorithm: proof.signature_algorithm,
      signed_at: proof.signed_at?.toISOString() ?? null,
      public_key_url: addresses?.public_key_url ?? null,
      certificate_url: addresses?.certificate_url ?? null,
    };
  }

  private async addressesOf(proof: Proof): Promise<SigningKeyView | null> {
    const { kms_key_arn, signature, document_sha256 } = proof;
    if (kms_key_arn === null || signature === null || document_sha256 === null) return null;
    const key = signingKeyOf(await this.keys.named(kms_key_arn), signature, document_sha256);
    return key && SigningKeyView.of(key, this.config.signingUrl);
  }
}
