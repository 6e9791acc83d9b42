import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.oidc_record: something that the OpenID provider remembers. Its ids are credentials: SHA-256 of them. */
@Entity({ schema: 'identity', name: 'oidc_record' })
export class OidcRecord {
  /** The provider's name of its kind: AuthorizationCode, Session, … */
  @PrimaryColumn('text') model: string;
  @PrimaryColumn('bytea') id_hash: Buffer;
  /** Of sessions, which interactions find by it. */
  @Column('bytea', { nullable: true }) uid_hash: Buffer | null;
  @Column('bytea', { nullable: true }) grant_hash: Buffer | null;
  /** The payload as JSON, with SECRETS_KEY. */
  @Column('bytea') sealed: Buffer;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) consumed_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
}
