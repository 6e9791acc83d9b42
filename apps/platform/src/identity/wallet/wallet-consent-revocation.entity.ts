import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_consent_revocation: a consent that the person has withdrawn. */
@Entity({ schema: 'identity', name: 'wallet_consent_revocation' })
export class WalletConsentRevocation {
  @PrimaryColumn('uuid') consent_id: string;
  @Column('uuid') wallet_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) revoked_at: Date;
}
