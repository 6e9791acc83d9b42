import type { EventRecord } from './event-record.ts';

/** The part of a transaction (libs/persistence, Tx) that emitting needs. */
export interface EmittingTransaction {
  query<R>(sql: string, params?: unknown[]): Promise<R[]>;
}

/**
 * Writes the event and one delivery for each matching endpoint in the caller's transaction (platform_v1.emit_event).
 * Emitting the same event_id again changes nothing. Call hintDeliveries after the commit.
 */
export async function emitEvent(tx: EmittingTransaction, record: EventRecord): Promise<void> {
  await tx.query('SELECT platform_v1.emit_event($1, $2, $3, $4, $5, $6, $7)', [
    record.event_id,
    record.tenant_id,
    record.module,
    record.event_type,
    record.occurred_at,
    record.body,
    record.traceparent,
  ]);
}
