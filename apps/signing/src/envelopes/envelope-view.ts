import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE } from '../circuits/circuit-view.ts';
import { FAILURE_CODES } from '../signatures/signature-view.ts';
import {
  AUTH_METHODS, type AuthMethod, ENVELOPE_LOCALES, type EnvelopeLocale, type EnvelopeRow, SETBACKS, type Setback, type SignerRow,
} from './envelope-rows.ts'; // prettier-ignore
import type { SignTokens } from './sign-tokens.ts';
import { ENVELOPE_STATUSES, type EnvelopeStatus, SIGNER_STATUSES, type SignerStatus } from './envelope-states.ts';

export const ENVELOPE_ID_EXAMPLE = 'env_01kamxb2k7f6t9s1x5d0q8w3ze';
export const SIGNER_ID_EXAMPLE = 'sgn_01kamxb2k8e0h4j6m2n9r5t7vc';

export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed'] as const;

/** The latest invitation or reminder of a signer. */
export interface NotificationRow {
  signer_id: string;
  kind: 'invitation' | 'reminder';
  created_at: Date;
  sent_at: Date | null;
  failed_at: Date | null;
  failure: string | null;
}

/** What is shown of a signer. */
export type ViewedSigner = Pick<
  SignerRow,
  | 'id'
  | 'envelope_id'
  | 'role'
  | 'email'
  | 'name'
  | 'ord'
  | 'status'
  | 'auth'
  | 'auth_done'
  | 'viewed_at'
  | 'consented_at'
  | 'authenticated_at'
  | 'signed_at'
  | 'declined_at'
  | 'decline_reason'
  | 'reminded_at'
>;

/** An envelope with its signers in the order of signing, and who of them was written to. */
export interface EnvelopeFile {
  envelope: EnvelopeRow;
  signers: ViewedSigner[];
  notifications: NotificationRow[];
}

type NewSigner = Pick<SignerRow, 'id' | 'role' | 'email' | 'name' | 'ord' | 'status'>;

class SignerFactsView {
  @ApiProperty({ ...shape.id('sgn'), example: SIGNER_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.role, example: 'buyer' })
  role: string;

  @ApiProperty({ ...shape.text(254), example: 'ana@correo.example' })
  email: string;

  @ApiProperty({ ...shape.text(120), type: 'string', nullable: true, example: 'Ana María Ñungo' })
  name: string | null;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  order: number;

  @ApiProperty({
    enum: SIGNER_STATUSES,
    enumName: 'SignerStatus',
    description: '`waiting`: signers of a lower order have not signed yet.',
    example: 'pending',
  })
  status: SignerStatus;

  static of(signer: NewSigner): SignerFactsView {
    const { role, email, name, ord, status } = signer;
    return { id: typeId('sgn', signer.id), role, email, name, order: ord, status };
  }
}

/** A signer with the link: shown once. */
export class SignerLinkView extends SignerFactsView {
  @ApiProperty({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'The credential in the link: shown in this answer only.',
    example: 'Q0dN8yXcV1rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxE',
  })
  sign_token: string;

  @ApiProperty({
    format: 'uri',
    description: 'Where the signer reads and signs. Whoever has the link is asked for the authentication of the role.',
    example: 'https://sign.constancia.example/Q0dN8yXcV1rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxE',
  })
  sign_url: string;

  static withLink(signer: NewSigner, link: { sign_token: string; sign_url: string }): SignerLinkView {
    return { ...SignerFactsView.of(signer), ...link };
  }
}

export class NotificationView {
  @ApiProperty({ enum: ['invitation', 'reminder'], example: 'invitation' })
  kind: string;

  @ApiProperty({
    enum: NOTIFICATION_STATUSES,
    description:
      '`pending`: not taken by the mail server yet, tried again for 24 hours; `sent`: taken by it; `failed`: refused for good, or given up.',
    example: 'sent',
  })
  status: (typeof NOTIFICATION_STATUSES)[number];

  @ApiProperty({ format: 'date-time', description: 'Since when that is so.' })
  at: string;

  @ApiPropertyOptional({
    ...shape.text(200),
    description:
      "Present when status is failed: the mail server's code. Correct the address by voiding and sending anew.",
    example: 'SMTP 550',
  })
  failure?: string;

  static of(row: NotificationRow): NotificationView {
    const { kind, created_at, sent_at, failed_at, failure } = row;
    if (sent_at) return { kind, status: 'sent', at: sent_at.toISOString() };
    if (failed_at) return { kind, status: 'failed', at: failed_at.toISOString(), failure: failure ?? 'unknown' };
    return { kind, status: 'pending', at: created_at.toISOString() };
  }
}

const nullableTime = { type: 'string', format: 'date-time', nullable: true } as const;

/** A signer with the progress so far. */
export class EnvelopeSignerView extends SignerFactsView {
  @ApiProperty({
    maxItems: AUTH_METHODS.length,
    enum: AUTH_METHODS,
    isArray: true,
    description: 'What the signer has to prove.',
  })
  auth: AuthMethod[];

  @ApiProperty({
    maxItems: AUTH_METHODS.length,
    enum: AUTH_METHODS,
    isArray: true,
    description: 'What of it is proved.',
  })
  auth_completed: AuthMethod[];

  @ApiProperty(nullableTime)
  viewed_at: string | null;

  @ApiProperty(nullableTime)
  consented_at: string | null;

  @ApiProperty(nullableTime)
  authenticated_at: string | null;

  @ApiProperty(nullableTime)
  signed_at: string | null;

  @ApiProperty(nullableTime)
  declined_at: string | null;

  @ApiProperty({ ...shape.text(1000), type: 'string', nullable: true, description: "Why, in the signer's words." })
  decline_reason: string | null;

  @ApiProperty({ ...nullableTime, description: 'The last reminder that was asked for.' })
  reminded_at: string | null;

  @ApiProperty({
    type: () => NotificationView,
    nullable: true,
    description: 'The latest invitation or reminder; null when the signer was not written to.',
  })
  notification: NotificationView | null;

  static withProgress(signer: ViewedSigner, notification: NotificationRow | undefined): EnvelopeSignerView {
    return {
      ...SignerFactsView.of(signer),
      auth: signer.auth,
      auth_completed: signer.auth_done,
      viewed_at: signer.viewed_at?.toISOString() ?? null,
      consented_at: signer.consented_at?.toISOString() ?? null,
      authenticated_at: signer.authenticated_at?.toISOString() ?? null,
      signed_at: signer.signed_at?.toISOString() ?? null,
      declined_at: signer.declined_at?.toISOString() ?? null,
      decline_reason: signer.decline_reason,
      reminded_at: signer.reminded_at?.toISOString() ?? null,
      notification: notification ? NotificationView.of(notification) : null,
    };
  }
}

type NewEnvelope = Pick<EnvelopeRow, 'id' | 'circuit_id' | 'status' | 'expires_at' | 'credits_debited' | 'created_at'>;

class EnvelopeFactsView {
  @ApiProperty({ ...shape.id('env'), example: ENVELOPE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('cir'), example: CIRCUIT_ID_EXAMPLE })
  circuit_id: string;

  @ApiProperty({ enum: ENVELOPE_STATUSES, enumName: 'EnvelopeStatus', example: 'sent' })
  status: EnvelopeStatus;

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

  @ApiProperty({ ...nullableTime, description: 'When it was declined, voided, expired, sealed or failed.' })
  ended_at: string | null;

  @ApiProperty({ ...shape.text(500), type: 'string', nullable: true, description: 'Why you voided it.' })
  void_reason: string | null;

  @ApiProperty({ ...nullableTime, description: 'When the document was sealed.' })
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
    description: 'Present while status is sealing and something is waited for: it is tried again by itself.',
  })
  last_setback?: Setback;

  @ApiPropertyOptional({ enum: FAILURE_CODES, description: 'Present when status is failed.' })
  failure_code?: string;

  @ApiPropertyOptional({
    ...shape.text(2000),
    description: 'Present when status is failed: what to change, in a sentence.',
  })
  failure_reason?: string;

  static ofFile({ envelope, signers, notifications }: EnvelopeFile, tokens: SignTokens): EnvelopeView {
    const { status, last_setback, failure_code, failure_reason } = envelope;
    const byId = new Map(notifications.map((one) => [one.signer_id, one]));
    return {
      ...EnvelopeFactsView.of(envelope),
      signers: signers.map((signer) => EnvelopeSignerView.withProgress(signer, byId.get(signer.id))),
      subject: envelope.subject,
      message: envelope.message,
      locale: envelope.locale,
      notify: envelope.notify,
      verify_url: tokens.verifyUrlOf(envelope.public_id),
      credits_refunded: envelope.credits_refunded,
      ended_at: envelope.ended_at?.toISOString() ?? null,
      void_reason: envelope.end_reason,
      signed_at: envelope.signed_at?.toISOString() ?? null,
      document_sha256: envelope.document_sha256?.toString('hex') ?? null,
      ...(status === 'sealing' && last_setback !== null && { last_setback }),
      ...(failure_code !== null && { failure_code }),
      ...(failure_reason !== null && { failure_reason }),
    };
  }
}

export class EnvelopePage {
  @ApiProperty({ maxItems: 100, type: () => [EnvelopeView] })
  data: EnvelopeView[];

  @ApiProperty({
    ...shape.cursor,
    type: 'string',
    nullable: true,
    description: 'Send it as cursor to get the next page; null on the last page.',
  })
  next_cursor: string | null;
}
