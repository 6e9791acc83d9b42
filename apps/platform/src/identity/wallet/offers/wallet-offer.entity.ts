import type { PersonLocale } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_offer: a person asked, at the end of a session, to keep its verification. */
@Entity({ schema: 'identity', name: 'wallet_offer' })
export class WalletOffer {
  @PrimaryColumn('uuid') session_id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') subject_id: string;
  /** confirmed: the address is the person's; settled: what comes of it is decided, and mailed. */
  @Column('text') state: 'code_sent' | 'confirmed' | 'settled';
  /** What the mailed code is counted by: a digest of the address. */
  @Column('bytea') code_digest: Buffer;
  /** OfferRecord, with the key of the tenant's subject. */
  @Column('bytea') sealed: Buffer;
  @Column('text') text_version: string;
  @Column('text') locale: PersonLocale;
  @Column('bytea') text_sha256: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) given_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) confirmed_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) settled_at: Date | null;
}
