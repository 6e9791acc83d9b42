import type { QueueName } from '@constancia/contracts';
import { PeriodicTask } from '@constancia/kernel';
import type { QueueLogger } from './queue-logger.ts';
import type { Queues } from './queues.ts';

export interface RegularSweep {
  queue: QueueName;
  everyMs: number;
  sweep: () => Promise<void>;
  logger: Pick<QueueLogger, 'warn'>;
}

/**
 * Runs a sweep at once and then at a fixed interval, once for all workers, by a schedule in the queue. While the queue is unavailable, and
 * its schedule with it, each worker goes by its own clock: claims are fenced, so that several at once do no harm. Runs until it is closed.
 */
export function sweepRegularly(
  queues: Pick<Queues, 'every'>,
  { queue, everyMs, sweep, logger }: RegularSweep,
): PeriodicTask {
  let sweptAt = 0; // at start there may be work that the worker before left
  queues.every(queue, everyMs, async () => {
    sweptAt = Date.now();
    await sweep();
  });
  const run = async () => {
    if (Date.now() - sweptAt > 2 * everyMs) await sweep();
  };
  const task = new PeriodicTask({ name: `${queue}-sweep`, everyMs, logger, run });
  task.start();
  task.wake();
  return task;
}
