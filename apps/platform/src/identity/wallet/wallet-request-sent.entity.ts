import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_request_sent: a mail about a request that a wallet got. A day long, so that nobody is flooded. */
@Entity({ schema: 'identity', name: 'wallet_request_sent' })
export class WalletRequestSent {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') wallet_id: string;
  @Column('uuid') tenant_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) sent_at: Date;
}
