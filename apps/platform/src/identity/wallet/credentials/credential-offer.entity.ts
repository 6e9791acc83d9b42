import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.credential_offer: a person may have a credential issued to a device. */
@Entity({ schema: 'identity', name: 'credential_offer' })
export class CredentialOffer {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  /** Of the token in the address of the offer. */
  @Column('bytea') offer_hash: Buffer;
  /** Of the pre-authorized code. */
  @Column('bytea') code_hash: Buffer;
  /** Of the mailed code; null until it is mailed, and once it is used. */
  @Column('bytea', { nullable: true }) tx_code_hash: Buffer | null;
  @Column('integer') wrong_codes: number;
  /** Of the access token that the code was exchanged for. */
  @Column('bytea', { nullable: true }) access_hash: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) access_expires_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) redeemed_at: Date | null;
  /** When a credential was issued for it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) used_at: Date | null;
}
