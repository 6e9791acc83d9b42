import { Column, PrimaryColumn } from 'typeorm';

/** The columns of a table of origins: a row per tenant. */
export abstract class OriginsRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { array: true }) origins: string[];
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
