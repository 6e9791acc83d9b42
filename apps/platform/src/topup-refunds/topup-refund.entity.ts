import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Money of a payment that operators give back. Its id is the provider's idempotency key. */
@Entity({ schema: 'platform', name: 'topup_refund' })
export class TopupRefund {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') topup_id: string;
  @Column('text') payment_id: string;
  /** One refund of a top-up per reference. */
  @Column('text') reference: string;
  @Column('bigint') amount_cents: number;
  /** Everything that is left of the payment. */
  @Column('boolean') is_rest: boolean;
  /** What the payment had given back before. */
  @Column('bigint') refunded_before_cents: number;
  /** What the amount is worth at the rate of the top-up: counts against OPS_GRANT_LIMIT. */
  @Column('integer') credits: number;
  @Column('text') reason: string;
  @Column('text') requested_by: string;
  @Column({ type: 'timestamptz', precision: 3 }) requested_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  /** sending: decided, and the provider has not confirmed it yet. */
  @Column('text') status: 'pending' | 'sending' | 'done' | 'withdrawn';
  /** Who approved or withdrew it. */
  @Column('text', { nullable: true }) ended_by: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
