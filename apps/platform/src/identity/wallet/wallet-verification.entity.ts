import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WalletLevel } from '@constancia/contracts';

/** A row of identity.wallet_verification: a verification that the person keeps. */
@Entity({ schema: 'identity', name: 'wallet_verification' })
export class WalletVerification {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  @Column('text') level: WalletLevel;
  /** KeptVerification. */
  @Column('bytea') sealed: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) verified_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) added_at: Date;
}
