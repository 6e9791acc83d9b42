import { BatchChunkRecord } from '@constancia/batches';
import { Entity } from 'typeorm';

/** Rows of a batch that are not screened yet. */
@Entity({ schema: 'compliance', name: 'screening_batch_chunk' })
export class ScreeningBatchChunk extends BatchChunkRecord {}
