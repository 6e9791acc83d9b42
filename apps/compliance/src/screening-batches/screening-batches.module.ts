import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { ValidationsModule } from '../validations/validations.module.ts';
import { BatchJobs } from './batch-jobs.ts';
import { BatchTurns } from './batch-turns.ts';
import { BatchUploads } from './batch-uploads.ts';
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
import { UnfinishedUploadsSweep } from './unfinished-uploads-sweep.ts';

/** Many screenings in one file (ADR 0228). */
@Module({
  imports: [ListsModule, ScreeningsModule, ValidationsModule],
  controllers: [CreateScreeningBatch, ListScreeningBatches, GetScreeningBatch, ShowBatchResults],
  providers: [
    BatchUploads,
    ReceiveBatch,
    ScreeningBatches,
    ChunkUnits,
    ChunkCommits,
    BatchJobs,
    BatchTurns,
    BatchWorker,
    ScreeningBatchQueueProcessor,
    UnfinishedUploadsSweep,
  ],
})
export class ScreeningBatchesModule {}
