import type { BatchLimits, BatchTables } from '@constancia/batches';

export const BATCH_LIMITS: BatchLimits = {
  rows: 100_000,
  bytes: 50 * 1024 * 1024,
  rowBytes: 128 * 1024,
  open: 10,
  days: 7,
  chunk: { rows: 100, characters: 128 * 1024 },
};

export const BATCH_TABLES: BatchTables = { schema: 'compliance', name: 'screening_batch', made: 'screening_id' };
