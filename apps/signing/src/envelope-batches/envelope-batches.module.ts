import { RequestsUnderWay } from '@constancia/http';
import { Module } from '@nestjs/common';
import { CircuitsModule } from '../circuits/circuits.module.ts';
import { EnvelopesModule } from '../envelopes/envelopes.module.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { EnvelopeBatchJobs } from './batch-jobs.ts';
import { EnvelopeBatchTurns } from './batch-turns.ts';
import { BatchWorker, EnvelopeBatchQueueProcessor } from './batch-worker.ts';
import { ChunkEnvelopes } from './chunk-envelopes.ts';
import { CreateEnvelopeBatch } from './create-envelope-batch.ts';
import { EnvelopeBatches, EnvelopeBatchUploads, EnvelopeUploadsSweep } from './envelope-batches.ts';
import { GetEnvelopeBatch } from './get-envelope-batch.ts';
import { ListEnvelopeBatches } from './list-envelope-batches.ts';
import { ReceiveBatch } from './receive-batch.ts';
import { RowDrawings } from './row-drawings.ts';
import { ShowBatchResults } from './show-batch-results.ts';

/** Many envelopes in one file (ADR 0240). */
@Module({
  imports: [CircuitsModule, EnvelopesModule, MailsModule, PdfsModule],
  controllers: [CreateEnvelopeBatch, ListEnvelopeBatches, GetEnvelopeBatch, ShowBatchResults],
  providers: [
    EnvelopeBatchUploads,
    RequestsUnderWay,
    RowDrawings,
    ReceiveBatch,
    EnvelopeBatches,
    ChunkEnvelopes,
    EnvelopeBatchJobs,
    EnvelopeBatchTurns,
    BatchWorker,
    EnvelopeBatchQueueProcessor,
    EnvelopeUploadsSweep,
  ],
})
export class EnvelopeBatchesModule {}
