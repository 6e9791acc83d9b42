import { BatchJobs, type ClaimedBatch as Claimed, type EndedBatch } from '@constancia/batches';
import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { BATCH_TABLES } from './batch-limits.ts';
import { creditsOf } from './envelope-batch-view.ts';
import type { BatchReason, EnvelopeBatch } from './envelope-batch.entity.ts';

export type ClaimedBatch = Claimed<Pick<EnvelopeBatch, 'circuit_id'>, BatchReason>;

/** Indexes of addresses, hexadecimal. */
const ERASED = `array(select encode(e.email_index, 'hex') from signing.erasure_receipt e
  where e.tenant_id = $1 and e.erased_at >= $4 and e.email_index is not null)`;

@Injectable()
export class EnvelopeBatchJobs extends BatchJobs<ClaimedBatch, BatchReason> {
  constructor(database: Database) {
    super(database, { tables: BATCH_TABLES, erased: ERASED, endedEvent });
  }
}

function endedEvent(
  { id, tenant_id, external_ref, circuit_id }: ClaimedBatch,
  status: string,
  ended: EndedBatch,
): EventRecord {
  return eventRecord({
    tenantId: tenant_id,
    module: 'seal',
    type: 'seal.envelope_batch.completed',
    payload: {
      batch_id: typeId('evb', id),
      circuit_id: typeId('cir', circuit_id),
      external_ref,
      metadata: ended.metadata,
      status,
      rows: ended.rows,
      processed: ended.processed,
      skipped: ended.skipped,
      credits_debited: creditsOf(ended),
    },
  });
}
