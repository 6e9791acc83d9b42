import type { QueueName } from '@constancia/contracts';
import { sleep } from '@constancia/kernel';
import type { QueueLogger } from './queue-logger.ts';
import type { Queues } from './queues.ts';

const LOG_EVERY_MS = 60_000;

export interface RegularSweep {
  queue: QueueName;
  everyMs: number;
  sweep: () => Promise<void>;
  signal: AbortSignal;
  logger: Pick<QueueLogger, 'warn'>;
}

/**
 * Runs a sweep at a fixed interval, once for all workers, by a schedule in the queue. While the queue is away, and its schedule with
 * it, each worker goes by its own clock: claims are fenced, so that several at once do no harm. Resolves when the signal aborts.
 */
export async function sweepRegularly(
  queues: Pick<Queues, 'every'>,
  { queue, everyMs, sweep, signal, logger }: RegularSweep,
): Promise<void> {
  let sweptAt = 0; // at start there may be work that the worker before left
  let loggedAt = 0;
  queues.every(queue, 'sweep', everyMs, async () => {
    sweptAt = Date.now();
    await sweep();
  });
  while (!signal.aborted) {
    try {
      if (Date.now() - sweptAt > 2 * everyMs) await sweep();
    } catch (error) {
      if (Date.now() - loggedAt > LOG_EVERY_MS) logger.warn({ error }, 'a sweep failed and will be tried again');
      loggedAt = Date.now();
    }
    await sleep(everyMs, signal);
  }
}
