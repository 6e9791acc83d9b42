import type { PersonLocale } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet: what a person keeps of their verifications. It belongs to the person and to no tenant. */
@Entity({ schema: 'identity', name: 'wallet' })
export class Wallet {
  @PrimaryColumn('uuid') wallet_id: string;
  @Column('bytea', { nullable: true }) document_index: Buffer | null;
  @Column('bytea', { nullable: true }) contact_index: Buffer | null;
  /** The wallet's data key, as KMS wrapped it; null once the wallet is erased. */
  @Column('bytea', { nullable: true }) wrapped_key: Buffer | null;
  /** The registered contact. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('text') locale: PersonLocale;
  @Column('boolean') discoverable: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) erased_at: Date | null;
  /** Sign-ins to applications, and proofs for a request, from before are not valid. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) signed_out_at: Date | null;
  @Column('uuid', { nullable: true }) receipt_id: string | null;
}
