import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_face: the picture of the person's face that was compared in a verification, to recover the wallet with. */
@Entity({ schema: 'identity', name: 'wallet_face' })
export class WalletFace {
  @PrimaryColumn('uuid') wallet_id: string;
  /** The verification that it is of. */
  @Column('uuid') verification_id: string;
  /** A JPEG (walletFaceRecord). */
  @Column('bytea') sealed: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) kept_at: Date;
}
