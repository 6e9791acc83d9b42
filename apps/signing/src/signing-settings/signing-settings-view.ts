import { shape } from '@constancia/contracts';
import { certificateFacts, chainFaultAt, LONGEST_CHAIN } from '@constancia/pdf-sealing';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches, MaxLength } from 'class-validator';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';
import { certificatePem, KEY_ARN_EXAMPLE } from '../signing-keys/signing-key-view.ts';
import type { SigningSettingsRow } from './signing-settings.entity.ts';

export const LONGEST_CHAIN_PEM = 32_768;
const ALIAS_EXAMPLE = 'alias/constancia-tenant-0192f7a4-6c1e-7d2b-9a3f-5b8c0d1e2f30';
const PROBLEMS = ['certificate_expired', 'key_unusable', 'key_refused'] as const;
const nullable = { type: 'string', nullable: true } as const;

/** What every alias of a tenant's keys begins with: no tenant can name another's key, or the platform's. */
export const aliasOf = (tenantId: string): string => `alias/constancia-tenant-${tenantId}`;

/** PUT /v1/signing-settings */
export class SigningSettingsBody {
  @ApiProperty({
    description:
      'Alias of an RSA key of the key management service that signs (RSASSA_PKCS1_V1_5_SHA_256). It is `kms_key_prefix` of ' +
      '`GET /v1/signing-settings`, or that followed by `-` and up to 64 letters, digits, `-` and `_`.',
    example: `${ALIAS_EXAMPLE}-2026`,
  })
  @IsString()
  @Length(1, 256)
  @Matches(/^alias\/[A-Za-z0-9_-]+$/, { message: 'must be an alias: alias/ and letters, digits, - and _' })
  kms_key: string;

  @ApiProperty({
    description:
      `The certificate of the key, then its issuers', each the issuer of the one before: PEM, at most ${LONGEST_CHAIN} certificates. ` +
      'With the root at its end, long-term evidence needs nothing else.',
    example: '-----BEGIN CERTIFICATE-----\nMIIDdTCCAl2gAw…',
  })
  @IsString()
  @MaxLength(LONGEST_CHAIN_PEM)
  certificate_chain: string;
}

export class CertificateView {
  @ApiProperty({ ...shape.text(2000), description: 'RFC 4514.', example: 'CN=Notaría 12, O=Notaría 12, C=CO' })
  subject: string;

  @ApiProperty({ ...shape.text(2000), example: 'CN=Autoridad de certificación, C=CO' })
  issuer: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  valid_from: string;

  @ApiProperty({ format: 'date-time', example: '2028-01-01T00:00:00.000Z' })
  valid_to: string;

  static of(der: Buffer): CertificateView {
    const { subject, issuer, validFrom, validTo } = certificateFacts(der);
    return { subject, issuer, valid_from: validFrom.toISOString(), valid_to: validTo.toISOString() };
  }
}

export class SigningKeyProblemView {
  @ApiProperty({
    enum: PROBLEMS,
    description:
      '`certificate_expired`: a certificate of the chain has ended. `key_refused`: the service may not use the key. `key_unusable`: the key ' +
      'is disabled, deleted or not yours any more.',
  })
  code: (typeof PROBLEMS)[number];

  @ApiProperty({ format: 'date-time', description: 'When it was met last.', example: '2026-11-21T15:04:05.678Z' })
  at: string;
}

/** Which key a tenant's documents are sealed with from now on. */
export class SigningSettingsView {
  @ApiProperty({ ...shape.text(64), description: 'What an alias of yours begins with.', example: ALIAS_EXAMPLE })
  kms_key_prefix: string;

  @ApiProperty({
    ...shape.text(256),
    ...nullable,
    description:
      "The alias that you set; null: the platform's key seals your documents. Then all that follows is null or empty.",
    example: `${ALIAS_EXAMPLE}-2026`,
  })
  kms_key: string | null;

  @ApiProperty({ ...shape.keyArn, ...nullable, description: 'The key that it named then.', example: KEY_ARN_EXAMPLE })
  key_arn: string | null;

  @ApiProperty({
    ...nullable,
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of its SubjectPublicKeyInfo (DER), hex: see `GET /v1/signing-keys`.',
  })
  fingerprint: string | null;

  @ApiProperty({ ...shape.text(65_536), ...nullable, description: 'PEM.' })
  certificate_chain: string | null;

  @ApiProperty({
    maxItems: LONGEST_CHAIN,
    type: () => [CertificateView],
    description: "The chain: the key's certificate first.",
  })
  certificates: CertificateView[];

  @ApiProperty({
    ...nullable,
    format: 'date-time',
    description: 'When the first certificate of the chain ends: set another chain before.',
  })
  valid_to: string | null;

  @ApiProperty({
    type: () => SigningKeyProblemView,
    nullable: true,
    description:
      "Why documents wait: the key cannot be used, and the platform's does not take its place. Null: nothing is known to be wrong.",
  })
  problem: SigningKeyProblemView | null;

  @ApiProperty({ ...nullable, format: 'date-time' })
  updated_at: string | null;

  static of(tenantId: string, row: SigningSettingsRow | null, key: SigningKey | null): SigningSettingsView {
    const chain = key?.certificate_der ? [key.certificate_der, ...key.certificate_chain_der] : [];
    const certificates = chain.map((der) => CertificateView.of(der));
    return {
      kms_key_prefix: aliasOf(tenantId),
      kms_key: row?.kms_key ?? null,
      key_arn: key?.key_arn ?? null,
      fingerprint: row?.fingerprint.toString('hex') ?? null,
      certificate_chain: key && certificatePem(key),
      certificates,
      valid_to: certificates.map(({ valid_to }) => valid_to).sort()[0] ?? null,
      problem: row && problemOf(row, key, new Date()),
      updated_at: row?.updated_at.toISOString() ?? null,
    };
  }
}

function problemOf(row: SigningSettingsRow, key: SigningKey | null, now: Date): SigningKeyProblemView | null {
  if (!key?.certificate_der) return { code: 'key_unusable', at: now.toISOString() };
  const identity = { certificateDer: key.certificate_der, chainDer: key.certificate_chain_der };
  if (chainFaultAt(identity, now) !== null) return { code: 'certificate_expired', at: now.toISOString() };
  return row.problem && row.problem_at && { code: row.problem, at: row.problem_at.toISOString() };
}
