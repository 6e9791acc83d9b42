import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant's data key, as KMS wrapped it, and under it the key of its blind indexes (personalDataSchema). */
@Entity('tenant_key')
export class TenantKeyRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('bytea') wrapped_key: Buffer;
  @Column('bytea') sealed_index_key: Buffer;
  @Column('timestamptz') created_at: Date;
}
