/** Errors of one file at most. */
export const BATCH_ERRORS = 100;

/** What bounds the batches of a kind. */
export interface BatchLimits {
  rows: number;
  /** Of the body. */
  bytes: number;
  /** Of one row. */
  rowBytes: number;
  /** Unfinished batches of a tenant. */
  open: number;
  /** After which an unfinished batch is given up. */
  days: number;
  /** One transaction each: short, since it delays the tenant's other work. */
  chunk: { rows: number; characters: number };
}
