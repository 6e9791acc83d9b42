import type { Actor } from '@constancia/contracts';
import { Column, PrimaryColumn } from 'typeorm';
import type { BatchStatus } from './batch-status.ts';

/** Columns that the batches of every kind have. */
export abstract class BatchRecord<Reason extends string = string> {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** receiving: its body is still arriving. */
  @Column('text') status: BatchStatus | 'receiving';
  @Column('text', { nullable: true }) reason: Reason | null;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') rows: number;
  @Column('integer') processed: number;
  /** Processed rows that nothing was made of. */
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

/** Rows of a batch that are not done yet. */
export abstract class BatchChunkRecord {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  /** Rows count from 1. */
  @PrimaryColumn('integer') first_row: number;
  @Column('integer') rows: number;
  /** JSON of the rows, under the tenant's key. */
  @Column('bytea') sealed: Buffer;
}

/** A row of a batch that is done. */
export abstract class BatchRowRecord {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  /** From 1. */
  @PrimaryColumn('integer') row_number: number;
}

/** The tables of a kind of batch: `<schema>.<name>`, `<name>_chunk` and `<name>_row`. Constants of the program: they stand in SQL as they are. */
export interface BatchTables {
  schema: string;
  name: string;
  /** Column of a row with the id of what was made of it; null: nothing. */
  made: string;
}
