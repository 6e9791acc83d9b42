import type { TenantStanding } from '@constancia/contracts';
import { type EventRecord, emitEvent, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import type { Leased, LeaseStore } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { creditsOf } from './screening-batch-view.ts';
import type { BatchReason, ScreeningBatch } from './screening-batch.entity.ts';

export const LEASE_SECONDS = 30;

/** A batch that this process works on; `attempts` counts this turn too. */
// prettier-ignore
export type ClaimedBatch = Leased &
  Pick<
    ScreeningBatch,
    | 'id' | 'tenant_id' | 'status' | 'reason' | 'validation_code' | 'external_ref' | 'rows' | 'actor' | 'by' | 'attempts' | 'created_at'
  >;

/** Rows that are not done, or not all of them. */
export interface StoredChunk {
  first_row: number;
  rows: number;
  sealed: Buffer;
  /** Numbers of the rows that are done. */
  done: number[];
  /** References of subjects that were erased since the batch was accepted. */
  erased: string[];
}

export interface Backlog {
  processing: number;
  paused: number;
  stalled_seconds: number;
}

/** What was done since it was last written. */
export interface Progress {
  /** All rows up to this one are done. */
  throughRow: number;
  /** Rows of them that were not screened, since their subjects were erased. */
  skipped: number;
}

/** Of a batch that is leased and was neither cancelled nor taken over. */
const OURS = `tenant_id = $1 and id = $2 and lease_token = $3 and status in ('processing', 'paused')`;
const MARKS = `compliance.screening_batch_row r where r.tenant_id = $1 and r.batch_id = $2`;
/** Counted from the marks, since a chunk may be done in part. */
const COUNTED = `(processed, skipped) = (select count(*), count(*) filter (where r.screening_id is null) from ${MARKS})`;

/** The work on batches in Postgres. What is written of one is fenced by its lease: false when it was lost. */
@Injectable()
export class BatchJobs implements LeaseStore<ClaimedBatch> {
  constructor(private readonly database: Database) {}

  claim(): Promise<ClaimedBatch[]> {
    return this.database.query<ClaimedBatch>('select * from compliance.claim_screening_batch($1)', [LEASE_SECONDS]);
  }

  async extend(batches: readonly ClaimedBatch[]): Promise<void> {
    for (const batch of batches)
      await this.update(batch, 'due_at = now() + make_interval(secs => $4)', [LEASE_SECONDS]);
  }

  /** The first chunk behind a row. */
  async nextChunk({ tenant_id, id, created_at }: ClaimedBatch, afterRow: number): Promise<StoredChunk | undefined> {
    const [chunk] = await this.database.tenant(tenant_id, (tx) =>
      tx.query<StoredChunk>(
        `select c.first_row, c.rows, c.sealed,
                array(select r.row_number from ${MARKS} and r.row_number between c.first_row and c.first_row + c.rows - 1) as done,
                array(select unnest(e.subject_refs) from compliance.erasure_receipt e where e.tenant_id = $1 and e.erased_at >= $4) as erased
           from compliance.screening_batch_chunk c
          where c.tenant_id = $1 and c.batch_id = $2 and c.first_row > $3 order by c.first_row limit 1`,
        [tenant_id, id, afterRow, created_at],
      ),
    );
    return chunk;
  }

  /** Deletes the chunks that are done. */
  advance(batch: ClaimedBatch, { throughRow, skipped }: Progress): Promise<boolean> {
    return this.database.tenant(batch.tenant_id, async (tx) => {
      const advanced = await tx.query(
        `update compliance.screening_batch
            set processed = $4, skipped = skipped + $5, status = 'processing', reason = null, trouble = null, attempts = 0,
                progressed_at = now(), due_at = now() + make_interval(secs => $6)
          where ${OURS} returning 1`,
        [batch.tenant_id, batch.id, batch.lease_token, throughRow, skipped, LEASE_SECONDS],
      );
      if (advanced.length === 0) return false;
      await tx.query(
        'delete from compliance.screening_batch_chunk where tenant_id = $1 and batch_id = $2 and first_row <= $3',
        [batch.tenant_id, batch.id, throughRow],
      );
      return true;
    });
  }

  /** Others have their turn. */
  giveBack(batch: ClaimedBatch): Promise<boolean> {
    return this.update(batch, 'lease_token = null, due_at = now()', []);
  }

  /** Without a reason it is tried again, and its tenant does not see that it failed. */
  defer(batch: ClaimedBatch, seconds: number, trouble: string, reason?: BatchReason): Promise<boolean> {
    return this.update(
      batch,
      `lease_token = null, due_at = now() + make_interval(secs => $4), trouble = $5, reason = coalesce($6, reason),
       status = case when $6::text is null then status else 'paused' end, ${COUNTED}`,
      [seconds, trouble, reason ?? null],
    );
  }

  /** Answers the event; undefined when another process, or a cancel, ended the batch. */
  end(
    batch: ClaimedBatch,
    status: 'completed' | 'failed',
    reason: BatchReason | null,
  ): Promise<EventRecord | undefined> {
    return this.database.tenant(batch.tenant_id, async (tx) => {
      const [ended] = await tx.query<EndedBatch>(
        `update compliance.screening_batch
            set status = $4, reason = $5, lease_token = null, finished_at = now(), trouble = null, ${COUNTED}
          where ${OURS} returning processed, skipped, rows, metadata`,
        [batch.tenant_id, batch.id, batch.lease_token, status, reason],
      );
      if (!ended) return undefined;
      await tx.query('delete from compliance.screening_batch_chunk where tenant_id = $1 and batch_id = $2', [
        batch.tenant_id,
        batch.id,
      ]);
      const event = endedEvent(batch, status, ended);
      await emitEvent(tx, event);
      return event;
    });
  }

  async isOfClosedTenant({ tenant_id }: ClaimedBatch): Promise<boolean> {
    const [row] = await this.database.query<{ standing: TenantStanding | null }>(
      'select platform_v1.tenant_standing($1) as standing',
      [tenant_id],
    );
    return row?.standing === 'closed';
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.database.query<Backlog>('select * from compliance.screening_batch_backlog()');
    return row ?? { processing: 0, paused: 0, stalled_seconds: 0 };
  }

  private async update(batch: ClaimedBatch, set: string, params: unknown[]): Promise<boolean> {
    const updated = await this.database.tenant(batch.tenant_id, (tx) =>
      tx.query(`update compliance.screening_batch set ${set} where ${OURS} returning 1`, [
        batch.tenant_id,
        batch.id,
        batch.lease_token,
        ...params,
      ]),
    );
    return updated.length > 0;
  }
}

type EndedBatch = Pick<ScreeningBatch, 'processed' | 'skipped' | 'rows' | 'metadata'>;

function endedEvent({ id, tenant_id, external_ref }: ClaimedBatch, status: string, ended: EndedBatch): EventRecord {
  return eventRecord({
    tenantId: tenant_id,
    module: 'compliance',
    type: 'screening_batch.completed',
    payload: {
      batch_id: typeId('scb', id),
      external_ref,
      metadata: ended.metadata,
      status,
      rows: ended.rows,
      processed: ended.processed,
      credits_debited: creditsOf(ended),
    },
  });
}
