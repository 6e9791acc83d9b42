import { Batches } from '@constancia/batches';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { BATCH_TABLES } from './batch-limits.ts';
import { ScreeningBatchRow } from './screening-batch-row.entity.ts';
import { ScreeningBatch } from './screening-batch.entity.ts';

@Injectable()
export class ScreeningBatches extends Batches<ScreeningBatch, ScreeningBatchRow> {
  constructor(database: Database) {
    super(database, {
      tables: BATCH_TABLES,
      batch: ScreeningBatch,
      row: ScreeningBatchRow,
      prefix: 'scb',
      missing: 'No such screening batch.',
    });
  }
}
