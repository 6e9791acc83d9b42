import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CreditEntry } from './credit-entry.entity.ts';

/** What the entries of a tenant add up to, per day in Colombia, module, object and kind. Written with them, by a trigger. */
@Entity({ schema: 'platform', name: 'credit_daily_total' })
export class CreditDailyTotal {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('date') day: string;
  @PrimaryColumn('text') module: string;
  @PrimaryColumn('text') ref_type: string;
  @PrimaryColumn('text') kind: CreditEntry['kind'];
  /** How many. */
  @Column('bigint') entries: number;
  @Column('bigint') quantity: number;
  /** Effect on the available balance. */
  @Column('bigint') amount: number;
  /** The part of these three whose entries were archived: in files, no longer in the ledger. */
  @Column('bigint') archived_entries: number;
  @Column('bigint') archived_quantity: number;
  @Column('bigint') archived_amount: number;
}
