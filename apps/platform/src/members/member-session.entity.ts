import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How a member proved who they are. */
export const SIGN_IN_METHODS = ['code', 'link', 'passkey', 'sso'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A row of platform.member_session: a member who is signed in on the console host. */
@Entity({ schema: 'platform', name: 'member_session' })
export class MemberSession {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') member_id: string;
  @Column('text') method: SignInMethod;
  /** The passkey that opened it. */
  @Column('uuid', { nullable: true }) passkey_id: string | null;
  /** SHA-256 of the cookie. */
  @Column('bytea') token_hash: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) last_used_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column('text') user_agent: string;
  @Column('text') ip: string;
}
