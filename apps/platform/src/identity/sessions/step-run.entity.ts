import type { StepOutcome } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** step_run.step_type: the work of document_upload, face_match and sarlaft. */
export type RunType = 'document' | 'face' | 'sarlaft';

/**
 * What an outcome does.
 * - accept: the step is done. flag: so it is, and the session ends with a person's review.
 * - again: may be tried again and uses up an attempt; the last one rejects.
 * - unavailable: our own engine or a service failed; nothing is used up.
 * - refer: a person decides now. reject: the subject is rejected.
 */
export type Verdict = 'accept' | 'flag' | 'again' | 'unavailable' | 'refer' | 'reject';

/** A row of identity.step_run. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'step_run' })
export class StepRun {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') session_id: string;
  @Column('uuid') subject_id: string;
  @Column('text') step_type: RunType;
  @Column('integer') attempt: number;
  @Column('bytea') input_hash: Buffer;
  @Column('jsonb') input: Record<string, unknown>;
  @Column('text') status: 'queued' | 'running' | 'done' | 'applied';
  @Column('uuid', { nullable: true }) hold_id: string | null;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('integer') claims: number;
  @Column('timestamptz', { nullable: true }) asked_at: Date | null;
  @Column('text', { nullable: true }) engine: string | null;
  @Column('text', { nullable: true }) model_version: string | null;
  @Column('text', { nullable: true }) outcome: StepOutcome | null;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('bytea', { nullable: true }) result_sealed: Buffer | null;
  /** What became of it, once applied; dropped: its session had ended meanwhile. */
  @Column('text', { nullable: true }) effect: Verdict | 'dropped' | null;
  @Column('integer', { nullable: true }) attempts_left: number | null;
  @Column('uuid', { nullable: true }) idempotency_key: string | null;
  @Column('bytea', { nullable: true }) fingerprint: Buffer | null;
  @Column('text', { nullable: true }) request_id: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) started_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) finished_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) applied_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) deadline_at: Date;
  /** Of the request that started it. */
  @Column('text', { nullable: true }) traceparent: string | null;
}
