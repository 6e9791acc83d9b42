import { type Logger, PeriodicWork } from '@constancia/telemetry';
import type { BatchUploads } from './batch-uploads.ts';

const EVERY_MS = 10 * 60_000;
/** No upload takes so long: the server ends it before. */
const UNFINISHED_SECONDS = 3_600;

/** Deletes what was received of batches whose upload never ended. */
export abstract class UnfinishedUploadsSweep extends PeriodicWork {
  constructor(
    private readonly uploads: Pick<BatchUploads, 'forget'>,
    logger: Logger,
  ) {
    super({ name: 'unfinished-uploads-sweep', everyMs: EVERY_MS, logger });
  }

  override run(): Promise<void> {
    return this.uploads.forget(UNFINISHED_SECONDS);
  }
}
