import { BatchUploads, UnfinishedUploadsSweep } from '@constancia/batches';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BATCH_LIMITS, BATCH_TABLES } from './batch-limits.ts';
import { ScreeningBatchView } from './screening-batch-view.ts';
import type { ScreeningBatch } from './screening-batch.entity.ts';

@Injectable()
export class ScreeningBatchUploads extends BatchUploads<ScreeningBatch> {
  constructor(database: Database) {
    super(database, BATCH_TABLES, BATCH_LIMITS, (batch) => ScreeningBatchView.of(batch));
  }
}

@Injectable()
export class ScreeningUploadsSweep extends UnfinishedUploadsSweep {
  constructor(uploads: ScreeningBatchUploads, logger: Logger) {
    super(uploads, logger);
  }
}
