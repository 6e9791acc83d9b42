import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.member_token: what the console sends to the API hosts, for ten minutes. */
@Entity({ schema: 'platform', name: 'member_token' })
export class MemberToken {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') token_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('uuid') member_id: string;
  @Column('uuid') session_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
}
