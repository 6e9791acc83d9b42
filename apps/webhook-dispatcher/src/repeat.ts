import { sleep } from '@constancia/kernel';
import type { Logger } from '@constancia/telemetry';

const LOG_EVERY_MS = 30_000;

/**
 * Runs a task again and again until the signal aborts: `everyMs` after it ended, up to four times as long when it was slow. A
 * failure is logged (not each time) and the task goes on. Every process runs its own: what the tasks do is safe to do in
 * several at once, and so it depends on no queue.
 */
export async function repeat(
  name: string,
  everyMs: number,
  task: () => Promise<void>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> {
  let loggedAt = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      await task();
    } catch (error) {
      if (Date.now() - loggedAt > LOG_EVERY_MS) {
        logger.warn({ job: name, error }, 'a periodic task failed and will be tried again');
        loggedAt = Date.now();
      }
    }
    await sleep(Math.max(everyMs, Math.min((performance.now() - startedAt) * 20, everyMs * 4)), signal);
  }
}
