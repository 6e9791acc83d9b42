import type { ConsentClaim } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.wallet_discovery: whom a tenant asks for, by the index of a document. Never changed. */
@Entity({ schema: 'identity', name: 'wallet_discovery' })
export class WalletDiscovery {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('bytea') document_index: Buffer;
  @Column('text') purpose: string;
  @Column('text', { array: true }) claims: ConsentClaim[];
  @Column('integer') max_age_days: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
}
