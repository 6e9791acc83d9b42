import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_passkey: a key on a device of a person, with which they sign in to their wallet. */
@Entity({ schema: 'identity', name: 'wallet_passkey' })
export class WalletPasskey {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  @Column('bytea') credential_id: Buffer;
  /** COSE key. */
  @Column('bytea') public_key: Buffer;
  /** Of the last sign-in; 0 for authenticators that do not count. */
  @Column('bigint') sign_count: string;
  @Column('text', { array: true }) transports: string[];
  /** PasskeyName. */
  @Column('bytea') sealed: Buffer;
  /** Whether it is kept in an account, and so on several devices. */
  @Column('boolean') backed_up: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_used_at: Date | null;
  /** When it was last refused because its count went back. */
  @Column('timestamptz', { nullable: true }) regressed_at: Date | null;
}
