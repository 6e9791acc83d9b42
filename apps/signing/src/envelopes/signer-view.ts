import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AUTH_METHODS, type AuthMethod } from '../circuits/circuit.entity.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import type { SignerMail } from '../mails/signer-mail.entity.ts';
import type { IdentityCheck } from '../signer-identity/identity-check.entity.ts';
import { IdentityProgressView } from './identity-progress-view.ts';
import { SIGNER_STATUSES, type SignerStatus } from '../envelope-records/envelope-states.ts';

export const SIGNER_ID_EXAMPLE = 'sgn_01kamxb2k8e0h4j6m2n9r5t7vc';

const MAIL_STATES = ['pending', 'sent', 'failed', 'waiting_for_owner', 'waiting_for_limit', 'dropped'] as const;

const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed'] as const;

/** The latest invitation or reminder of a signer. */
export type NotificationRow = Pick<
  SignerMail,
  'signer_id' | 'kind' | 'created_at' | 'sent_at' | 'failed_at' | 'failure' | 'waiting_for'
>;

/** What is shown of a signer. */
// prettier-ignore
export type ViewedSigner = Pick<
  SignerRow,
  | 'id' | 'envelope_id' | 'role' | 'email' | 'phone' | 'name' | 'person_salt' | 'ord' | 'status' | 'auth' | 'auth_done'
  | 'viewed_at' | 'document_shown_at' | 'link_stopped_at' | 'consented_at' | 'authenticated_at' | 'signed_at'
  | 'declined_at' | 'decline_reason' | 'reminded_at' | 'reminder_due_at' | 'reminders_sent' | 'key'
>;

type NewSigner = Pick<SignerRow, 'id' | 'role' | 'email' | 'phone' | 'name' | 'ord' | 'status'>;

class SignerFactsView {
  @ApiProperty({ ...shape.id('sgn'), example: SIGNER_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.role, example: 'buyer' })
  role: string;

  @ApiProperty({ ...shape.text(254), example: 'ana@correo.example' })
  email: string;

  @ApiProperty({
    ...shape.phone,
    nullable: true,
    description: 'Where codes by text message and WhatsApp go; null when the role asks for none.',
    example: '+573001234567',
  })
  phone: string | null;

  @ApiProperty({ ...shape.text(120), type: 'string', nullable: true, example: 'Ana María Ñungo' })
  name: string | null;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  order: number;

  @ApiProperty({
    enum: SIGNER_STATUSES,
    enumName: 'SignerStatus',
    description:
      '`waiting`: signers of a lower order have not signed yet; `viewed`: the link was opened (`viewed_at`: the document was shown).',
    example: 'pending',
  })
  status: SignerStatus;

  static of(signer: NewSigner): SignerFactsView {
    const { role, email, phone, name, ord, status } = signer;
    return { id: typeId('sgn', signer.id), role, email, phone, name, order: ord, status };
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
    description:
      'Where the signer reads and signs. Anyone who has the link is asked for the authentication of the role.',
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
      "Present when status is failed: the mail server's code. To correct the address, void the envelope and send another one.",
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

  @ApiProperty({ ...nullableTime, description: 'When the link was first opened.' })
  link_opened_at: string | null;

  @ApiProperty({ ...nullableTime, description: 'When the document was first shown to the signer, authenticated.' })
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

  @ApiProperty({
    ...nullableTime,
    description:
      'Since when the link is stopped: the person who opened it said that it is not theirs. rotate-token makes a new one.',
  })
  not_me_at: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    pattern: '^[0-9a-f]{32}$',
    description:
      'The first event of the trail names the signer as `person_sha256`: SHA-256, hex, of the canonical JSON (RFC 8785) of ' +
      '`{email, name, salt}` with this salt, the number as `phone_sha256` of `{phone, salt}`, and the `values` of the envelope as ' +
      '`values_sha256` of `{values, salts}`, with the salts of all signers by role; signer.declined names the reason as ' +
      '`reason_sha256` of `{reason, salt}`. null when the trail is older than that, or the signer was erased.',
    example: '5f2b8c0e9a4d47d1b6c3e8f7a1029384',
  })
  person_salt: string | null;

  @ApiProperty({ ...nullableTime, description: 'The last reminder, asked for or scheduled.' })
  reminded_at: string | null;

  @ApiProperty({ ...nullableTime, description: 'When the next scheduled reminder is due.' })
  next_reminder_at: string | null;

  @ApiProperty({ ...shape.count(), description: 'Scheduled reminders so far.', example: 0 })
  reminders_sent: number;

  @ApiProperty({
    type: () => NotificationView,
    nullable: true,
    description: 'The latest invitation or reminder; null when the signer was not written to.',
  })
  notification: NotificationView | null;

  @ApiProperty({
    enum: MAIL_STATES,
    nullable: true,
    description:
      'The state of that mail; null when there is none. `waiting_for_owner`: it is sent once the owner of the tenant has verified ' +
      'their address (`POST /tenants/{id}/owner-email/proof`); `dropped`: it waited for that for 7 days, send a reminder; ' +
      '`waiting_for_limit`: a limit of mails in 24 hours is reached, and the mail is sent when the limit allows it.',
    example: 'sent',
  })
  mail: (typeof MAIL_STATES)[number] | null;

  @ApiProperty({
    type: () => IdentityProgressView,
    nullable: true,
    description: 'The latest verification of the identity; null when none was started.',
  })
  identity: IdentityProgressView | null;

  static withProgress(
    signer: ViewedSigner,
    notification: NotificationRow | undefined,
    check: IdentityCheck | undefined,
  ): EnvelopeSignerView {
    return {
      ...SignerFactsView.of(signer),
      auth: signer.auth,
      auth_completed: signer.auth_done,
      link_opened_at: timeOf(signer.viewed_at),
      viewed_at: timeOf(signer.document_shown_at),
      consented_at: timeOf(signer.consented_at),
      authenticated_at: timeOf(signer.authenticated_at),
      signed_at: timeOf(signer.signed_at),
      declined_at: timeOf(signer.declined_at),
      decline_reason: signer.decline_reason,
      not_me_at: timeOf(signer.link_stopped_at),
      person_salt: signer.person_salt?.toString('hex') ?? null,
      reminded_at: timeOf(signer.reminded_at),
      next_reminder_at: timeOf(signer.reminder_due_at),
      reminders_sent: signer.reminders_sent,
      notification: notification ? NotificationView.of(notification) : null,
      mail: notification ? mailStateOf(notification) : null,
      identity: check ? IdentityProgressView.of(check) : null,
    };
  }
}

function mailStateOf(mail: NotificationRow): (typeof MAIL_STATES)[number] {
  const { created_at, sent_at, failed_at, waiting_for } = mail;
  if (sent_at) return 'sent';
  if (failed_at) return waiting_for === 'owner' ? 'dropped' : 'failed';
  if (waiting_for === 'owner') return 'waiting_for_owner';
  return waiting_for === 'room' && created_at > new Date() ? 'waiting_for_limit' : 'pending';
}

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
