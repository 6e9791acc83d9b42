import { openChunk, type StoredChunk } from '@constancia/batches';
import type { WorkUnit } from '@constancia/credit-ledger';
import { RequestsUnderWay } from '@constancia/http';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { Lists } from '../lists/lists.ts';
import { assessWith, noPublished } from '../screenings/screen.ts';
import { ScreeningContext } from '../screenings/screening-context.ts';
import { daysAskedFor } from '../screenings/screening-history.ts';
import type { ScreeningOrder } from '../screenings/screening-order.ts';
import { unitOf } from '../screenings/screening-unit.ts';
import { usableLists } from '../screenings/usable-lists.ts';
import { CompiledValidations } from '../validations/compiled-validations.ts';
import type { ClaimedBatch } from './batch-jobs.ts';
import { BATCH_TABLES } from './batch-limits.ts';
import type { BatchSubject } from './batch-rows.ts';

/** A row that is not done. */
export interface WaitingRow {
  row: number;
  subject: BatchSubject;
  /** Its subject was erased: nothing is screened. */
  isErased: boolean;
}

/** Makes the units of work of a chunk's rows. */
@Injectable()
export class ChunkUnits {
  constructor(
    private readonly context: ScreeningContext,
    private readonly validations: CompiledValidations,
    private readonly lists: Lists,
    private readonly personal: PersonalData,
    private readonly requests: RequestsUnderWay,
  ) {}

  async waitingRows({ id, tenant_id }: ClaimedBatch, chunk: StoredChunk): Promise<WaitingRow[]> {
    const keyring = await this.personal.tenant(tenant_id);
    const at = { batchId: id, firstRow: chunk.first_row };
    const subjects = openChunk<BatchSubject>(BATCH_TABLES, keyring, at, chunk.sealed);
    const [done, erased] = [new Set(chunk.done), new Set(chunk.erased)];
    return subjects
      .map((subject, nth) => ({ row: chunk.first_row + nth, subject, isErased: erased.has(subject[0]) }))
      .filter(({ row }) => !done.has(row));
  }

  /** The units of rows, each of another subject. Throws NotFound (no published validation) and DependencyUnavailable (lists). */
  async of(batch: ClaimedBatch, rows: readonly WaitingRow[]): Promise<WorkUnit[]> {
    const orders = rows.map(({ subject }) => orderOf(batch, subject));
    const { validation, known } = await this.known(batch, orders);
    const lists = await usableLists(this.lists, batch.tenant_id);
    const units: WorkUnit[] = [];
    const sliceEnds = this.requests.slices();
    for (const [nth, { row, isErased }] of rows.entries()) {
      const order = orders[nth] as ScreeningOrder;
      const seen = known[nth];
      if (!seen) throw new Error('everybody who is to be screened was looked up');
      if (isErased) units.push({ tenantId: batch.tenant_id, writes: [markOf(batch, row, null)] });
      else {
        const assessment = assessWith(order, { known: seen, validation, lists });
        const { unit, id } = unitOf(batch.tenant_id, order, { known: seen, validation, lists, assessment });
        units.push({ ...unit, writes: [...unit.writes, markOf(batch, row, id)] });
      }
      await sliceEnds();
    }
    return units;
  }

  private async known({ tenant_id, validation_code }: ClaimedBatch, orders: readonly ScreeningOrder[]) {
    const days = this.context.daysLastAskedFor(tenant_id, validation_code);
    const known = await this.context.readMany(tenant_id, validation_code, orders, days);
    const publishedId = known[0]?.publishedId;
    if (!publishedId) throw noPublished(validation_code);
    const validation = await this.validations.byUuid(tenant_id, publishedId);
    const needed = daysAskedFor(validation.compiled.needs);
    this.context.noteDays(tenant_id, validation_code, needed);
    if (needed <= days) return { validation, known };
    return { validation, known: await this.context.readMany(tenant_id, validation_code, orders, needed) };
  }
}

function orderOf(
  { validation_code, actor, by }: ClaimedBatch,
  [subjectRef, subjectType, payload]: BatchSubject,
): ScreeningOrder {
  return { validationCode: validation_code, subjectRef, subjectType, payload, trigger: 'api', actor, by };
}

/** Commits with the screening: the key of the mark lets a row be done once. */
function markOf({ id }: ClaimedBatch, row: number, screeningId: string | null) {
  return {
    table: 'screening_batch_row',
    rows: [{ batch_id: id, row_number: row, screening_id: screeningId }],
  };
}
