import type { EventRecord } from '@constancia/events';
import type { AnswerOwner, IdempotentRequest, StoredResponse } from '@constancia/idempotency';
import { jsonBytes } from './json-bytes.ts';

/** What a unit of work costs, and the business object that is debited once for it. */
export interface Debit {
  module: string;
  refType: string;
  /** UUID of the object. */
  refId: string;
  /** Credits. */
  amount: number;
}

/** Rows for one table of the module's schema. All rows of one entry have the same columns; bytes are '\\x…' text. */
export interface TableRows {
  table: string;
  rows: Record<string, unknown>[];
}

/**
 * A function of the module's schema, `(p_tenant_id uuid, p_args jsonb) returns void`, called after the rows are written and
 * before the events: for what must look before it writes, such as the next link of a hash chain. It may refuse by raising:
 * then its unit alone fails, with that error.
 */
export interface FunctionCall {
  function: string;
  args: Record<string, unknown>;
}

/** A unit of work as data: everything that commits together. */
export interface WorkUnit {
  tenantId: string;
  /** With an Idempotency-Key: the request, and the answer that a repetition gets. */
  idempotency?: IdempotentRequest & { response: StoredResponse; secret?: boolean; owner?: AnswerOwner };
  writes: TableRows[];
  calls?: FunctionCall[];
  debit?: Debit;
  events?: EventRecord[];
}

/** Roughly what a unit adds to its batch. A stored body travels in hexadecimal. */
export function unitBytes({ writes, calls, events, idempotency }: WorkUnit): number {
  return (
    jsonBytes(writes) + jsonBytes(calls ?? []) + jsonBytes(events ?? []) + 2 * (idempotency?.response.body.length ?? 0)
  );
}
