import { CONSENT_CLAIMS, PRICE, shape, WALLET_LEVELS, type WalletLevel } from '@constancia/contracts';
import { METADATA } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PURPOSE } from './request-bodies.ts';
import { PRESENTATION_CHANNELS, PRESENTATION_STATUSES, type Presentation, type PresentationChannel, type PresentationStatus } from './presentation.entity.ts'; // prettier-ignore
import type { ReleasedClaims } from './released-claims.ts';

export const PRESENTATION_ID_EXAMPLE = 'wpr_01jd8m3x5se9t8qzvwpk4c2d6h';

export class ReleasedClaimsView implements ReleasedClaims {
  @ApiProperty(shape.text(10))
  document_type: string;

  @ApiProperty(shape.text(3))
  document_country: string;

  @ApiPropertyOptional(shape.text(400))
  full_name?: string;

  @ApiPropertyOptional(shape.day)
  birth_date?: string;

  @ApiPropertyOptional(shape.text(64))
  document_number?: string;
}

export class PresentedVerificationView {
  @ApiProperty({ enum: ['wallet'] })
  source: 'wallet';

  @ApiProperty({ format: 'date-time', description: 'When it was made.' })
  verified_at: string;

  @ApiProperty({ enum: WALLET_LEVELS, description: 'What it looked at.' })
  level: WalletLevel;
}

export class PresentationView {
  @ApiProperty({ ...shape.id('wpr'), example: PRESENTATION_ID_EXAMPLE })
  id: string;

  @ApiProperty({
    enum: PRESENTATION_STATUSES,
    description:
      'A person who declines is shown as one who did not answer, unless they asked us to say that they declined: pending, then expired.',
  })
  status: PresentationStatus;

  @ApiProperty({ enum: PRESENTATION_CHANNELS })
  channel: PresentationChannel;

  @ApiProperty(shape.text(PURPOSE.most))
  purpose: string;

  @ApiProperty({ enum: CONSENT_CLAIMS, isArray: true, maxItems: CONSENT_CLAIMS.length })
  claims_requested: string[];

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  external_ref: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
  })
  metadata: Record<string, string>;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ ...shape.count(PRICE.kycReuse), description: 'Set aside while it is pending.' })
  credits_held: number;

  @ApiProperty({ ...shape.count(PRICE.kycReuse), description: 'What the approval cost.' })
  credits_debited: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  approved_at: string | null;

  @ApiProperty({ ...shape.id('sub'), type: String, nullable: true, description: 'Whom the approval made, or changed.' })
  subject_id: string | null;

  @ApiProperty({ type: PresentedVerificationView, nullable: true })
  verification: PresentedVerificationView | null;

  @ApiProperty({
    type: ReleasedClaimsView,
    nullable: true,
    description: 'What the person gave; null: nothing, or the subject was erased.',
  })
  claims: ReleasedClaimsView | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the person withdrew the consent: use what was given no further than the law obliges you to.',
  })
  consent_revoked_at: string | null;

  static of(row: Presentation, claims: ReleasedClaims | null): PresentationView {
    const approved = row.status === 'approved';
    return {
      id: typeId('wpr', row.id),
      status: row.status,
      channel: row.channel,
      purpose: row.purpose,
      claims_requested: row.claims,
      external_ref: row.external_ref,
      metadata: row.metadata,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      credits_held: row.status === 'pending' ? PRICE.kycReuse : 0,
      credits_debited: approved ? PRICE.kycReuse : 0,
      approved_at: approved && row.ended_at ? row.ended_at.toISOString() : null,
      subject_id: row.subject_id && typeId('sub', row.subject_id),
      verification:
        row.level && row.verified_at
          ? { source: 'wallet', verified_at: row.verified_at.toISOString(), level: row.level }
          : null,
      claims,
      consent_revoked_at: row.consent_revoked_at?.toISOString() ?? null,
    };
  }
}

export class RequestedPresentationView extends PresentationView {
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Channels redirect and qr: where the person answers. Shown once; null for registered_contact.',
  })
  consent_url: string | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      'Channels redirect and qr: for a wallet app that holds a credential of the person (OpenID4VP), as a link or a QR code. Shown once; null for registered_contact, and while no key can sign it.',
  })
  qr_uri: string | null;
}
