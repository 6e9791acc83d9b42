import { BatchChunkRecord } from '@constancia/batches';
import { Entity } from 'typeorm';

/** Rows of a batch of which no envelopes were made yet. */
@Entity({ schema: 'signing', name: 'envelope_batch_chunk' })
export class EnvelopeBatchChunk extends BatchChunkRecord {}
