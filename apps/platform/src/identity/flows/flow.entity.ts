import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FlowStatus } from './flow-states.ts';
import type { FlowStep } from './step-types.ts';

/** A row of identity.flow. */
@Entity({ schema: 'identity', name: 'flow' })
export class Flow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') code: string;
  @Column('text') type: string;
  @Column('integer') version: number;
  @Column('text') status: FlowStatus;
  @Column('jsonb') steps: FlowStep[];
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) published_at: Date | null;
  /** The request that asks compliance for its default validation, until it answers. */
  @Column('uuid', { nullable: true }) seed_request: string | null;
  @Column('timestamptz', { nullable: true }) seed_asked_at: Date | null;
}
