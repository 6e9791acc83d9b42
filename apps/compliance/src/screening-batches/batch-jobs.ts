import { BatchJobs, type ClaimedBatch as Claimed, type CommonReason, type EndedBatch } from '@constancia/batches';
import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { BATCH_TABLES } from './batch-limits.ts';
import { creditsOf } from './screening-batch-view.ts';
import type { BatchReason, ScreeningBatch } from './screening-batch.entity.ts';

export type ClaimedBatch = Claimed<Pick<ScreeningBatch, 'validation_code'>, BatchReason | CommonReason>;

/** References of subjects. */
const ERASED = `array(select unnest(e.subject_refs) from compliance.erasure_receipt e where e.tenant_id = $1 and e.erased_at >= $4)`;

@Injectable()
export class ScreeningBatchJobs extends BatchJobs<ClaimedBatch, BatchReason> {
  constructor(database: Database) {
    super(database, { tables: BATCH_TABLES, erased: ERASED, endedEvent });
  }
}

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
