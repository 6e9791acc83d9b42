import { Column, Entity, PrimaryColumn } from 'typeorm';

export type WalletSignInMethod = 'code' | 'passkey';

/** A row of identity.wallet_session: a person who is signed in to their wallet. */
@Entity({ schema: 'identity', name: 'wallet_session' })
export class WalletSession {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  /** How the person proved who they are. */
  @Column('text') method: WalletSignInMethod;
  /** That opened it. */
  @Column('uuid', { nullable: true }) passkey_id: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
