import { RequestsUnderWay } from '@constancia/http';
import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { ValidationsModule } from '../validations/validations.module.ts';
import { ScreeningBatchJobs } from './batch-jobs.ts';
import { ScreeningBatchTurns } from './batch-turns.ts';
import { ScreeningBatchUploads, ScreeningUploadsSweep } from './batch-uploads.ts';
import { BatchWorker } from './batch-worker.ts';
import { ChunkCommits } from './chunk-commits.ts';
import { ChunkUnits } from './chunk-units.ts';
import { CreateScreeningBatch } from './create-screening-batch.ts';
import { GetScreeningBatch } from './get-screening-batch.ts';
import { ListScreeningBatches } from './list-screening-batches.ts';
import { ReceiveBatch } from './receive-batch.ts';
import { ScreeningBatchQueueProcessor } from './screening-batch-queue.processor.ts';
import { ScreeningBatches } from './screening-batches.ts';
import { ShowBatchResults } from './show-batch-results.ts';

/** Many screenings in one file (ADR 0228). */
@Module({
  imports: [ListsModule, ScreeningsModule, ValidationsModule],
  controllers: [CreateScreeningBatch, ListScreeningBatches, GetScreeningBatch, ShowBatchResults],
  providers: [
    RequestsUnderWay,
    ScreeningBatchUploads,
    ReceiveBatch,
    ScreeningBatches,
    ChunkUnits,
    ChunkCommits,
    ScreeningBatchJobs,
    ScreeningBatchTurns,
    BatchWorker,
    ScreeningBatchQueueProcessor,
    ScreeningUploadsSweep,
  ],
})
export class ScreeningBatchesModule {}
