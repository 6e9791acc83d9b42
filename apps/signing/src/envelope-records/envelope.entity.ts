import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Reminders } from './reminders.ts';
import type { EnvelopeStatus } from './envelope-states.ts';

export const ENVELOPE_LOCALES = ['es-CO', 'en'] as const;
export type EnvelopeLocale = (typeof ENVELOPE_LOCALES)[number];

/** What a sealing run waits for while the envelope is `sealing`. */
export const SETBACKS = ['kms', 'tenant_key', 'timestamps', 'storage', 'database', 'busy', 'internal'] as const;
export type Setback = (typeof SETBACKS)[number];

/** A row of signing.envelope. */
@Entity({ schema: 'signing', name: 'envelope' })
export class Envelope {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') circuit_id: string;
  /** 22 characters of base62: names the public verify page. */
  @Column('text') public_id: string;
  @Column('text') status: EnvelopeStatus;
  @Column('text', { nullable: true }) subject: string | null;
  @Column('text', { nullable: true }) message: string | null;
  /** The tenant's own reference and texts; not personal data. */
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('text') locale: EnvelopeLocale;
  @Column('boolean') notify: boolean;
  /** null: none are scheduled. */
  @Column('jsonb', { nullable: true }) reminders: Reminders | null;
  @Column('integer') credits_debited: number;
  @Column('integer') credits_refunded: number;
  @Column('timestamptz') expires_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) ended_at: Date | null;
  /** Why the tenant voided it. */
  @Column('text', { nullable: true }) end_reason: string | null;
  /** Head of the trail at the last signature so far. */
  @Column('integer', { nullable: true }) trail_seq: number | null;
  @Column('text', { nullable: true }) trail_hash: string | null;
  @Column('text', { nullable: true }) failure_code: string | null;
  @Column('text', { nullable: true }) failure_reason: string | null;
  @Column('text', { nullable: true }) last_setback: Setback | null;
  @Column('bytea', { nullable: true }) document_sha256: Buffer | null;
  @Column('text', { nullable: true }) document_key: string | null;
  @Column('integer', { nullable: true }) document_size: number | null;
  @Column('text', { nullable: true }) kms_key_arn: string | null;
  @Column('bytea', { nullable: true }) signature: Buffer | null;
  @Column('text', { nullable: true }) signature_algorithm: string | null;
  @Column('timestamptz', { nullable: true }) signed_at: Date | null;
  @Column('integer') attempts: number;
  @Column('integer') faults: number;
  @Column('integer') strandings: number;
  @Column('timestamptz') retry_at: Date;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('text', { nullable: true }) traceparent: string | null;
  /** subject and message, with the key of its id; they are null then. */
  @Column('bytea', { nullable: true }) sealed_words: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_end_reason: Buffer | null;
  /** Of the digest that the trail has of it. */
  @Column('bytea', { nullable: true }) end_reason_salt: Buffer | null;
  /** Of the sender's fields, with the key of its id; erased when the envelope ends. */
  @Column('bytea', { nullable: true }) sealed_values: Buffer | null;
  /** When the retention of an envelope without a seal was over, and its personal data was erased. */
  @Column('timestamptz', { nullable: true }) forgotten_at: Date | null;
}
