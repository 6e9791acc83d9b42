import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a balance. Never altered. */
@Entity({ schema: 'platform', name: 'credit_entry' })
export class CreditEntry {
  @Column('uuid') id: string;
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('bigint') seq: number;
  @Column('text') kind: 'grant' | 'debit' | 'refund' | 'hold' | 'capture' | 'release' | 'topup' | 'reversal';
  /** Effect on the available balance. */
  @Column('bigint') amount: number;
  @Column('bigint') quantity: number;
  @Column('bigint') balance_after: number;
  @Column('text') debit_account: string;
  @Column('text') credit_account: string;
  @Column('text') module: string;
  @Column('text') ref_type: string;
  @Column('uuid') ref_id: string;
  @Column('uuid', { nullable: true }) hold_id: string | null;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('timestamptz') created_at: Date;
}
