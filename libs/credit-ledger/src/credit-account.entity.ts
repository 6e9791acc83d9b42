import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant's balance: what its entries add up to. */
@Entity({ schema: 'platform', name: 'credit_account' })
export class CreditAccount {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('bigint') available: number;
  @Column('bigint') held: number;
  /** Of its latest entry. */
  @Column('bigint') last_seq: number;
  /** Below it, the tenant is warned. */
  @Column('bigint', { nullable: true }) low_balance_threshold: number | null;
  @Column('boolean') low_balance_notify: boolean;
  /** Null since the settings were last changed, too. */
  @Column('timestamptz', { nullable: true }) low_balance_mailed_at: Date | null;
}
