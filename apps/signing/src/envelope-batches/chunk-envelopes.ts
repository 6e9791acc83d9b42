import { type ChunkOutcome, openChunk, type StoredChunk } from '@constancia/batches';
import { ChargedWork, InsufficientCreditsError, type WorkUnit } from '@constancia/credit-ledger';
import { hintDeliveries } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { isUniqueViolation, sqlState } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { Circuits } from '../circuits/circuits.ts';
import { emailIndex } from '../envelope-records/signer-secrets.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { givenValues } from '../envelope-values/given-values.ts';
import { EnvelopeUnits } from '../envelopes/envelope-units.ts';
import { limitReached } from '../mails/mail-room.ts';
import { SenderOwners } from '../mails/sender-owners.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import type { ClaimedBatch } from './batch-jobs.ts';
import { BATCH_TABLES } from './batch-limits.ts';
import type { RowErrorCode } from './envelope-batch-row.entity.ts';

/** A row that is not done. */
export interface WaitingRow {
  row: number;
  order: EnvelopeOrder;
  /** A signer of it was erased since the batch was accepted: no envelope is made. */
  isErased: boolean;
}

export interface PlannedRows {
  rows: readonly WaitingRow[];
  units: WorkUnit[];
}

/** When a batch looks again for room for its mails. */
const NO_ROOM_SECONDS = 600;

/** Makes envelopes of the rows of a chunk and commits them, each with its charge, mails, events and mark, or not at all. */
@Injectable()
export class ChunkEnvelopes {
  constructor(
    private readonly circuits: Circuits,
    private readonly units: EnvelopeUnits,
    private readonly owners: SenderOwners,
    private readonly personal: PersonalData,
    private readonly work: ChargedWork,
    private readonly queues: Queues,
    private readonly mails: SignerMailLoop,
  ) {}

  async waitingRows({ id, tenant_id }: ClaimedBatch, chunk: StoredChunk): Promise<WaitingRow[]> {
    const keyring = await this.personal.tenant(tenant_id);
    const at = { batchId: id, firstRow: chunk.first_row };
    const orders = openChunk<EnvelopeOrder>(BATCH_TABLES, keyring, at, chunk.sealed);
    const [done, erased] = [new Set(chunk.done), new Set(chunk.erased)];
    const isErased = ({ signers }: EnvelopeOrder) =>
      erased.size > 0 && signers.some(({ email }) => erased.has(emailIndex(keyring, email).toString('hex')));
    return orders
      .map((order, nth) => ({ row: chunk.first_row + nth, order, isErased: isErased(order) }))
      .filter(({ row }) => !done.has(row));
  }

  /** The circuit is the version that the batch was accepted with, whatever was published since. */
  async plan({ id, tenant_id, circuit_id, by }: ClaimedBatch, rows: readonly WaitingRow[]): Promise<PlannedRows> {
    const circuit = await this.circuits.find(tenant_id, typeId('cir', circuit_id));
    const unprovenOwner = await this.owners.unprovenAddress(tenant_id);
    const facts = { tenantId: tenant_id, circuit, by, unprovenOwner };
    const units: WorkUnit[] = [];
    for (const { row, order, isErased } of rows) {
      const at = { batchId: id, tenantId: tenant_id, row, order };
      if (isErased) units.push(withoutEnvelope(at, 'recipient_erased'));
      else {
        const { unit, made } = await this.units.of(facts, order, givenValues(circuit, order.values).given);
        units.push({ ...unit, writes: [...unit.writes, markOf(at, { envelopeId: made.envelope.id })] });
      }
    }
    return { rows, units };
  }

  /** Throws what the store throws. */
  async commit({ id, tenant_id }: ClaimedBatch, { rows, units }: PlannedRows): Promise<ChunkOutcome<'mail_limit'>> {
    const results = await this.work.commitTogether(units);
    const events = units.flatMap((unit, nth) => (results[nth] === null ? (unit.events ?? []) : []));
    hintDeliveries(this.queues, events);
    if (events.length > 0) this.mails.wake();
    const crowded = rows.filter((_, nth) => isCrowded(results[nth]));
    const marks = crowded.map(({ row, order }) =>
      withoutEnvelope({ batchId: id, tenantId: tenant_id, row, order }, 'mails_per_address'),
    );
    const marked = await this.work.commitTogether(marks);
    return outcomeOf([...results.filter((result) => !isCrowded(result)), ...marked], {
      skipped: rows.filter(({ isErased }) => isErased).length + crowded.length,
    });
  }
}

interface RowAddress {
  batchId: string;
  tenantId: string;
  row: number;
  order: EnvelopeOrder;
}

/** Commits with the envelope: the key of the mark lets a row be done once. */
function markOf(
  { batchId, row, order }: RowAddress,
  { envelopeId, error }: { envelopeId?: string; error?: RowErrorCode },
) {
  return {
    table: 'envelope_batch_row',
    rows: [
      {
        batch_id: batchId,
        row_number: row,
        envelope_id: envelopeId ?? null,
        external_ref: order.external_ref ?? null,
        error: error ?? null,
      },
    ],
  };
}

const withoutEnvelope = (at: RowAddress, error: RowErrorCode): WorkUnit => ({
  tenantId: at.tenantId,
  writes: [markOf(at, { error })],
});

/** One of its addresses has been invited as often as it may be. */
const isCrowded = (result: unknown): boolean => limitReached(result)?.limit === 'address';
/** The tenant has sent as many mails as it may. */
const isWithoutRoom = (result: unknown): boolean => limitReached(result)?.limit === 'tenant';
/** The store marks no row of a batch that is not open. */
const hasEnded = (error: unknown): boolean => sqlState(error) === 'CN410';

/** Throws the first error that is no outcome. A mark that is there: another process did the row. */
function outcomeOf(results: readonly (Error | null)[], { skipped }: { skipped: number }): ChunkOutcome<'mail_limit'> {
  const errors = results.filter((result) => result !== null);
  for (const error of errors) {
    const isOutcome = error instanceof InsufficientCreditsError || hasEnded(error) || isWithoutRoom(error);
    if (!isOutcome && !isUniqueViolation(error, 'envelope_batch_row_pkey')) throw error;
  }
  if (errors.some(hasEnded)) return { is: 'ended' };
  if (errors.some((error) => error instanceof InsufficientCreditsError)) return { is: 'unpaid' };
  if (errors.some(isWithoutRoom)) return { is: 'held', reason: 'mail_limit', seconds: NO_ROOM_SECONDS };
  return { is: 'done', skipped };
}
