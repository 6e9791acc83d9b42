import type { ListCode } from '@constancia/reference-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where a pass stands: the key of the last subject that was looked at. */
export interface SubjectKey {
  validation_code: string;
  subject_type: string;
  subject_ref: string;
}

/** A list of a tenant that is to be screened with again. */
@Entity({ schema: 'compliance', name: 'rescreen_job' })
export class RescreenJob {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') list: ListCode;
  /** The tenant's own list, not the operator's. */
  @Column('boolean') own: boolean;
  /** null: there was none before. */
  @Column('uuid', { nullable: true }) from_version: string | null;
  @Column('uuid') to_version: string;
  @Column('text') status: 'pending' | 'running' | 'done';
  /** late: only subjects that were screened while the version changed. */
  @Column('text') pass: 'first' | 'late';
  @Column('jsonb', { nullable: true }) position: SubjectKey | null;
  @Column('integer') subjects: number;
  @Column('integer') affected: number;
  @Column('integer') rescreened: number;
  @Column('integer') attempts: number;
  @Column('timestamptz') due_at: Date;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz') requested_at: Date;
  @Column('timestamptz', { nullable: true }) finished_at: Date | null;
  @Column('text', { nullable: true }) trouble: string | null;
  @Column('text', { nullable: true }) traceparent: string | null;
}
