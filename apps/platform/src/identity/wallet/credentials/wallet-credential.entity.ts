import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_credential: a credential that was issued to a person, in one or more copies. */
@Entity({ schema: 'identity', name: 'wallet_credential' })
export class WalletCredential {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  /** What it states. */
  @Column('uuid') verification_id: string;
  @Column('integer') copies: number;
  /** As in status lists: STATUS of libs/status-list. */
  @Column('smallint') status: number;
  @Column({ type: 'timestamptz', precision: 3 }) issued_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
