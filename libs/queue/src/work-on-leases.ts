import type { QueueName } from '@constancia/contracts';
import { type Leased, LeasedWork, type LeasedWorkOptions } from './leased-work.ts';
import type { QueueLogger } from './queue-logger.ts';
import type { Queues } from './queues.ts';
import { sweepRegularly } from './sweep-regularly.ts';

export interface WorkOnLeases<Work extends Leased> extends LeasedWorkOptions<Work> {
  /** Whose hints wake the work. */
  queue: QueueName;
  hintsAtOnce: number;
  sweepEveryMs: number;
  /** What close gives hints under way. */
  drainMs: number;
  logger: QueueLogger;
}

/**
 * A worker's life: hints wake it at once, the sweep wakes it for what no hint did. close() claims no more, lets what is in hand
 * end and disconnects the queues.
 */
export function workOnLeases<Work extends Leased>(
  queues: Queues,
  { queue, hintsAtOnce, sweepEveryMs, drainMs, ...options }: WorkOnLeases<Work>,
): { close(): Promise<void> } {
  const work = new LeasedWork(options);
  const stop = new AbortController();
  queues.consume(queue, () => work.wake(), { concurrency: hintsAtOnce });
  const sweeps = sweepRegularly(queues, {
    queue,
    everyMs: sweepEveryMs,
    sweep: () => work.wake(),
    signal: stop.signal,
    logger: options.logger,
  });
  return {
    async close() {
      stop.abort();
      await sweeps;
      await work.close();
      await queues.close({ drainMs });
    },
  };
}
