import type { PersonLocale, WalletConsentKind } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_consent: what the person agreed to. Never changed. */
@Entity({ schema: 'identity', name: 'wallet_consent' })
export class WalletConsent {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  @Column('text') kind: WalletConsentKind;
  @Column('text') text_version: string;
  @Column('text') locale: PersonLocale;
  /** Of the text that was shown. */
  @Column('bytea') text_sha256: Buffer;
  /** ConsentOrigin. */
  @Column('bytea') sealed_origin: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) given_at: Date;
}
