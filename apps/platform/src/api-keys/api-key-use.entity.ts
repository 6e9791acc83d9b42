import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.api_key_use: when and from where a key was used, and refused outside its networks. */
@Entity({ schema: 'platform', name: 'api_key_use' })
export class ApiKeyUse {
  @PrimaryColumn('uuid') key_id: string;
  @Column('uuid') tenant_id: string;
  @Column('timestamptz', { nullable: true }) used_at: Date | null;
  @Column('text', { nullable: true }) used_ip: string | null;
  @Column('bigint') rejected: number;
  @Column('timestamptz', { nullable: true }) rejected_at: Date | null;
  @Column('text', { nullable: true }) rejected_ip: string | null;
}
