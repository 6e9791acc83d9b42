import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The row of identity.wallet_index_key: the key of WalletIndex, as KMS wrapped it. */
@Entity({ schema: 'identity', name: 'wallet_index_key' })
export class WalletIndexKey {
  @PrimaryColumn('boolean') only_one: boolean;
  @Column('bytea') wrapped_key: Buffer;
}
