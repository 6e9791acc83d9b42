import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.sso_attempt: a single sign-on that a browser has begun. Deleted when it comes back. */
@Entity({ schema: 'platform', name: 'sso_attempt' })
export class SsoAttempt {
  /** SHA-256 of the state. */
  @PrimaryColumn('bytea') state_hash: Buffer;
  @Column('uuid') tenant_id: string;
  /** Of the settings with which it began. */
  @Column('uuid') version: string;
  /** SHA-256 of the cookie of the browser that began it. */
  @Column('bytea') browser_hash: Buffer;
  @Column('timestamptz') expires_at: Date;
}
