import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.oidc_grant_release: which verification the tokens of a grant are about. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'oidc_grant_release' })
export class OidcGrantRelease {
  /** SHA-256 of its id. */
  @PrimaryColumn('bytea') grant_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('uuid') verification_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) released_at: Date;
}
