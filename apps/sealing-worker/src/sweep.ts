import { sleep } from '@constancia/kernel';
import type { Queues } from '@constancia/queue';
import type { Logger } from '@constancia/telemetry';

/** Interface document, "Limits": the sealing worker runs every 3 seconds. */
export const SWEEP_EVERY_MS = 3_000;
const LOG_EVERY_MS = 60_000;

/**
 * Runs the sweep every 3 s, once for all workers, by a schedule in the queue. While the queue is away, and its schedule with it,
 * each worker goes by its own clock: claims are fenced, so that several at once do no harm. Resolves when the signal aborts.
 */
export async function sweepRegularly(
  queues: Pick<Queues, 'every'>,
  sweep: () => Promise<void>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> {
  let sweptAt = 0; // at start there may be work that the worker before left
  let loggedAt = 0;
  const swept = async () => {
    sweptAt = Date.now();
    await sweep();
  };
  queues.every('sealing', 'sweep', SWEEP_EVERY_MS, swept);
  while (!signal.aborted) {
    try {
      if (Date.now() - sweptAt > 2 * SWEEP_EVERY_MS) await sweep();
    } catch (error) {
      if (Date.now() - loggedAt > LOG_EVERY_MS) logger.warn({ error }, 'a sweep failed and will be tried again');
      loggedAt = Date.now();
    }
    await sleep(SWEEP_EVERY_MS, signal);
  }
}
