import type { QueueMessages, QueueName } from '@constancia/contracts';
import { Processor as BullProcessor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';

/** The job that the `process` method of a processor gets. */
export type HintJob<N extends QueueName> = Job<QueueMessages[N], void>;

export { WorkerHost };

/**
 * @Processor of @nestjs/bullmq: the class, a WorkerHost, consumes this queue, `concurrency` jobs at a time. Every other option of a
 * worker is set by this library.
 */
export function Processor(queue: QueueName, { concurrency }: { concurrency: number }): ClassDecorator {
  return BullProcessor(queue, { concurrency }) as ClassDecorator;
}
