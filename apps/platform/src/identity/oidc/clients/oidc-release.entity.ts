import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.oidc_release: a verification was released to a client for the first time. Never changed. */
@Entity({ schema: 'identity', name: 'oidc_release' })
export class OidcRelease {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') wallet_id: string;
  @Column('uuid') client_id: string;
  @Column('uuid') verification_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) released_at: Date;
}
