import { shape } from '@constancia/contracts';
import { OwnReferenceView, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE } from '../circuits/circuit-view.ts';
import { FAILURE_CODES } from '../signatures/signature-view.ts';
import type { EnvelopeRow } from '../envelope-records/envelope-rows.ts';
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import type { IdentityCheck } from '../signer-identity/identity-check.entity.ts';
import type { SignTokens } from '../envelope-records/sign-tokens.ts';
import { RemindersView } from '../envelope-records/reminders.ts';
import { EnvelopeSignerView, type NotificationRow, SignerLinkView, type ViewedSigner } from './signer-view.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale, SETBACKS, type Setback } from '../envelope-records/envelope.entity.ts';

export const ENVELOPE_ID_EXAMPLE = 'env_01kamxb2k7f6t9s1x5d0q8w3ze';

/** An envelope with its signers in the order of signing, and who of them was written to. */
export interface EnvelopeFile {
  envelope: EnvelopeRow;
  signers: ViewedSigner[];
  notifications: NotificationRow[];
  /** Of the signers' identities. */
  checks: IdentityCheck[];
}

type NewEnvelope = Pick<
  EnvelopeRow,
  | 'id'
  | 'circuit_id'
  | 'status'
  | 'external_ref'
  | 'metadata'
  | 'reminders'
  | 'expires_at'
  | 'credits_debited'
  | 'created_at'
>;

class EnvelopeFactsView extends OwnReferenceView {
  @ApiProperty({ ...shape.id('env'), example: ENVELOPE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('cir'), example: CIRCUIT_ID_EXAMPLE })
  circuit_id: string;

  @ApiProperty({ enum: ENVELOPE_STATUSES, enumName: 'EnvelopeStatus', example: 'sent' })
  status: EnvelopeStatus;

  @ApiProperty({
    type: () => RemindersView,
    nullable: true,
    description: 'null: signers are reminded only when you ask.',
  })
  reminders: RemindersView | null;

  @ApiProperty({ format: 'date-time', example: '2026-12-21T15:04:05.678Z' })
  expires_at: string;

  @ApiProperty({ ...shape.count(), example: 40 })
  credits_debited: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  static of(envelope: NewEnvelope): EnvelopeFactsView {
    return {
      id: typeId('env', envelope.id),
      circuit_id: typeId('cir', envelope.circuit_id),
      status: envelope.status,
      external_ref: envelope.external_ref,
      metadata: envelope.metadata,
      reminders: envelope.reminders,
      expires_at: envelope.expires_at.toISOString(),
      credits_debited: envelope.credits_debited,
      created_at: envelope.created_at.toISOString(),
    };
  }
}

/** An envelope as it is created: the only answer with the links. */
export class CreatedEnvelopeView extends EnvelopeFactsView {
  @ApiProperty({ maxItems: 20, type: () => [SignerLinkView] })
  signers: SignerLinkView[];

  static withLinks(envelope: NewEnvelope, signers: SignerLinkView[]): CreatedEnvelopeView {
    return { ...EnvelopeFactsView.of(envelope), signers };
  }
}

/** An envelope with what became of it. */
export class EnvelopeView extends EnvelopeFactsView {
  @ApiProperty({ maxItems: 20, type: () => [EnvelopeSignerView], description: 'In the order of signing.' })
  signers: EnvelopeSignerView[];

  @ApiProperty({ ...shape.text(150), type: 'string', nullable: true, example: 'Compraventa del apartamento 301' })
  subject: string | null;

  @ApiProperty({ ...shape.text(2000), type: 'string', nullable: true })
  message: string | null;

  @ApiProperty({ enum: ENVELOPE_LOCALES, example: 'es-CO' })
  locale: EnvelopeLocale;

  @ApiProperty({ example: true })
  notify: boolean;

  @ApiProperty({
    format: 'uri',
    description: 'The public page on which anybody verifies the document.',
    example: 'https://sign.constancia.example/verify/3Kq8ZrT0vXn5LmPw2YbC7d',
  })
  verify_url: string;

  @ApiProperty({
    ...shape.count(),
    description: '40 when the service itself failed to seal the document, else 0.',
    example: 0,
  })
  credits_refunded: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When it was declined, voided, expired, sealed or failed.',
  })
  ended_at: string | null;

  @ApiProperty({ ...shape.text(500), type: 'string', nullable: true, description: 'Why you voided it.' })
  void_reason: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    pattern: '^[0-9a-f]{32}$',
    description:
      'The trail names the reason for voiding as `reason_sha256`: SHA-256, hex, of the canonical JSON (RFC 8785) of `{reason, salt}` with ' +
      'this salt. null when it was not voided, or by an earlier release, whose trails have the reason itself.',
    example: null,
  })
  void_reason_salt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the document was sealed.' })
  signed_at: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'SHA-256 of the sealed PDF, hex; null until it is sealed.',
    pattern: '^[0-9a-f]{64}$',
  })
  document_sha256: string | null;

  @ApiPropertyOptional({
    enum: SETBACKS,
    description:
      'Present while status is sealing and something is waited for: it is tried again by itself. `tenant_key`: the key that you set ' +
      '(`GET /v1/signing-settings` says why it cannot be used).',
  })
  last_setback?: Setback;

  @ApiPropertyOptional({ enum: FAILURE_CODES, description: 'Present when status is failed.' })
  failure_code?: string;

  @ApiPropertyOptional({
    ...shape.text(2000),
    description: 'Present when status is failed: what to change, in a sentence.',
  })
  failure_reason?: string;

  static ofFile({ envelope, signers, notifications, checks }: EnvelopeFile, tokens: SignTokens): EnvelopeView {
    const { status, last_setback, failure_code, failure_reason } = envelope;
    const mails = new Map(notifications.map((one) => [one.signer_id, one]));
    const identities = new Map(checks.map((one) => [one.signer_id, one]));
    return {
      ...EnvelopeFactsView.of(envelope),
      signers: signers.map((signer) =>
        EnvelopeSignerView.withProgress(signer, mails.get(signer.id), identities.get(signer.id)),
      ),
      subject: envelope.subject,
      message: envelope.message,
      locale: envelope.locale,
      notify: envelope.notify,
      verify_url: tokens.verifyUrlOf(envelope.public_id),
      credits_refunded: envelope.credits_refunded,
      ended_at: envelope.ended_at?.toISOString() ?? null,
      void_reason: envelope.end_reason,
      void_reason_salt: envelope.end_reason_salt?.toString('hex') ?? null,
      signed_at: envelope.signed_at?.toISOString() ?? null,
      document_sha256: envelope.document_sha256?.toString('hex') ?? null,
      ...(status === 'sealing' && last_setback !== null && { last_setback }),
      ...(failure_code !== null && { failure_code }),
      ...(failure_reason !== null && { failure_reason }),
    };
  }
}

export class EnvelopePage extends PageOf(EnvelopeView) {}
