import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_credential_copy: where the status of a copy stands. */
@Entity({ schema: 'identity', name: 'wallet_credential_copy' })
export class WalletCredentialCopy {
  @PrimaryColumn('uuid') list_id: string;
  @PrimaryColumn('integer') idx: number;
  @Column('uuid') credential_id: string;
  @Column('uuid') wallet_id: string;
}
