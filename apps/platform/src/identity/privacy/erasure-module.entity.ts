import type { ModuleErasure } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What another module is asked to erase, until it has. */
@Entity({ schema: 'identity', name: 'erasure_module' })
export class ErasureModule {
  @PrimaryColumn('uuid') receipt_id: string;
  @PrimaryColumn('text') module: 'compliance' | 'signing';
  @Column('uuid') tenant_id: string;
  @Column('text') status: 'pending' | 'done';
  @Column('bytea', { nullable: true }) sealed_request: Buffer | null;
  @Column('jsonb', { nullable: true }) result: ModuleErasure | null;
  @Column('timestamptz', { nullable: true }) asked_at: Date | null;
  @Column('integer') asks: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) done_at: Date | null;
}
