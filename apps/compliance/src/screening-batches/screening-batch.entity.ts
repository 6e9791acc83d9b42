import type { Actor } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** States of a batch that its tenant sees. */
export const BATCH_STATUSES = ['processing', 'paused', 'completed', 'canceled', 'failed'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** What hinders a batch; `expired`: it was given up. */
export const BATCH_REASONS = [
  'insufficient_credits',
  'no_published_validation',
  'lists_unavailable',
  'internal_error',
  'expired',
] as const;
export type BatchReason = (typeof BATCH_REASONS)[number];

@Entity({ schema: 'compliance', name: 'screening_batch' })
export class ScreeningBatch {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** receiving: its body is still arriving. */
  @Column('text') status: BatchStatus | 'receiving';
  @Column('text', { nullable: true }) reason: BatchReason | null;
  @Column('text') validation_code: string;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') rows: number;
  @Column('integer') processed: number;
  /** Processed rows without a screening. */
  @Column('integer') skipped: number;
  @Column('text') actor: string;
  @Column('jsonb') by: Actor;
  /** Turns since a chunk was last done. */
  @Column('integer') attempts: number;
  @Column('timestamptz') due_at: Date;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') progressed_at: Date;
  @Column('timestamptz', { nullable: true }) finished_at: Date | null;
  /** For operators: what failed last. */
  @Column('text', { nullable: true }) trouble: string | null;
}
