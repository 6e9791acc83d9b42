import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.member_device: a browser from which a member signed in. */
@Entity({ schema: 'platform', name: 'member_device' })
export class MemberDevice {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') member_id: string;
  /** SHA-256 of the browser's name. */
  @PrimaryColumn('bytea') device_hash: Buffer;
  @Column('timestamptz') last_seen_at: Date;
}
