import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.member_link: a link that signs a member in once. */
@Entity({ schema: 'platform', name: 'member_link' })
export class MemberLink {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') token_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('uuid') member_id: string;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
