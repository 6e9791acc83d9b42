import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.replay_run. */
@Entity({ schema: 'platform', name: 'replay_run' })
export class ReplayRun {
  @PrimaryColumn('uuid') id: string;
  /** null: an operator's, of all tenants. */
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @Column('text') status: 'running' | 'completed' | 'cancelled';
  @Column('boolean') dry_run: boolean;
  @Column('text', { array: true }) statuses: string[];
  @Column('text', { nullable: true }) module: string | null;
  @Column('text', { nullable: true }) event_type: string | null;
  @Column('timestamptz', { nullable: true }) from_at: Date | null;
  @Column('timestamptz', { nullable: true }) to_at: Date | null;
  @Column('integer') max_deliveries: number;
  @Column('integer') matched: number;
  @Column('integer') replayed: number;
  @Column('integer') skipped: number;
  @Column('uuid') cursor_event_id: string;
  @Column('uuid') cursor_id: string;
  @Column('timestamptz') next_slice_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) finished_at: Date | null;
  @Column('text', { nullable: true }) operator: string | null;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('integer', { nullable: true }) per_second: number | null;
  @Column('boolean') missing: boolean;
  @Column('uuid', { nullable: true }) endpoint_id: string | null;
}
