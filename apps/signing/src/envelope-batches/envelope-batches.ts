import { Batches, BatchUploads, UnfinishedUploadsSweep } from '@constancia/batches';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BATCH_LIMITS, BATCH_TABLES } from './batch-limits.ts';
import { EnvelopeBatchRow } from './envelope-batch-row.entity.ts';
import { EnvelopeBatchView } from './envelope-batch-view.ts';
import { EnvelopeBatch } from './envelope-batch.entity.ts';

@Injectable()
export class EnvelopeBatches extends Batches<EnvelopeBatch, EnvelopeBatchRow> {
  constructor(database: Database) {
    super(database, {
      tables: BATCH_TABLES,
      batch: EnvelopeBatch,
      row: EnvelopeBatchRow,
      prefix: 'evb',
      missing: 'No such envelope batch.',
    });
  }
}

@Injectable()
export class EnvelopeBatchUploads extends BatchUploads<EnvelopeBatch> {
  constructor(database: Database) {
    super(database, BATCH_TABLES, BATCH_LIMITS, (batch) => EnvelopeBatchView.of(batch));
  }
}

@Injectable()
export class EnvelopeUploadsSweep extends UnfinishedUploadsSweep {
  constructor(uploads: EnvelopeBatchUploads, logger: Logger) {
    super(uploads, logger);
  }
}
