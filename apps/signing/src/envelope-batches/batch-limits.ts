import type { BatchLimits, BatchTables } from '@constancia/batches';

export const BATCH_LIMITS: BatchLimits = {
  rows: 10_000,
  bytes: 50 * 1024 * 1024,
  rowBytes: 128 * 1024,
  open: 10,
  days: 7,
  chunk: { rows: 50, characters: 256 * 1024 },
};

export const BATCH_TABLES: BatchTables = { schema: 'signing', name: 'envelope_batch', made: 'envelope_id' };
