import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TopupStatus } from './topup-state.ts';

/** What the nightly comparison, or a payment itself, found that a person has to look at. */
export const DIFFERENCES = [
  'missed_callback',
  'paid_twice',
  'amount_mismatch',
  'payment_missing',
  'ledger_drift',
] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** A top-up: the quote that it was created with, and what of it is in the ledger. */
@Entity({ schema: 'platform', name: 'topup' })
export class Topup {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') provider: string;
  @Column('text') preference_id: string;
  @Column('text') init_point: string;
  @Column('text') status: TopupStatus;
  @Column('bigint') amount_cop: number;
  @Column('bigint') amount_credits: number;
  @Column('bigint') bonus_credits: number;
  /** What the ledger holds of it: changed by platform.post_topup alone. */
  @Column('bigint') applied_credits: number;
  @Column('text', { nullable: true }) bundle: string | null;
  @Column('integer') bonus_percent: number;
  @Column('integer') usd_micros: number;
  @Column('numeric') trm: string;
  @Column('date') trm_valid_for: string;
  @Column('text') trm_source: string;
  @Column('text', { nullable: true }) return_url: string | null;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('text', { nullable: true }) difference: Difference | null;
  /** When a lost callback is looked for next. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) check_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) compared_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) credited_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
