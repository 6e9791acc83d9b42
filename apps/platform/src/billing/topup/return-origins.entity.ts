import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The origins that payers of a tenant may be sent back to. */
@Entity({ schema: 'platform', name: 'return_origins' })
export class ReturnOriginsRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { array: true }) origins: string[];
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
