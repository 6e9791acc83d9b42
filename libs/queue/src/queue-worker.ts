import type { QueueName } from '@constancia/contracts';
import type { Job, Worker } from 'bullmq';
import type { Payload } from './backend.ts';
import type { JobHandler } from './consumer.ts';
import type { Queues } from './queues.ts';

type Process = (job: Job<Payload, void>, token: string | undefined, signal: AbortSignal) => Promise<void>;

/**
 * What @nestjs/bullmq constructs for each @Processor class in place of BullMQ's Worker: a consumer of the app's Queues, so that
 * every processor has their safeguards. BullModule keeps its worker class per process; this one holds no state of an app, which
 * comes as its `connection`.
 */
export class QueueWorker {
  private readonly queues: Queues;

  constructor(
    name: QueueName,
    process: Process,
    { connection, concurrency = 1 }: { connection: Queues; concurrency?: number },
  ) {
    this.queues = connection;
    const handler: JobHandler<Job<Payload, void>> = (job, signal) => process(job, job.token, signal);
    this.queues.addConsumer(name, handler as JobHandler, { concurrency });
  }

  /** BullModule calls it at shutdown; QueueModule has drained by then. */
  close(): Promise<void> {
    return this.queues.drain();
  }

  /** The class in the form that BullModule takes. */
  static asWorkerClass(): typeof Worker {
    return QueueWorker as unknown as typeof Worker;
  }
}
