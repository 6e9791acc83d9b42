import type { QueueName } from '@constancia/contracts';
import { sleep } from '@constancia/kernel';
import { FORGET } from './backend.ts';
import type { HintQueue, Producer } from './backend.ts';
import { occasionally } from './queue-logger.ts';
import type { QueueLogger } from './queue-logger.ts';

const PUT_BACK_MS = 2_000;
/** A scheduler whose job is gone is stuck; one whose job only waits its turn is not. */
const LATE_MS = 10_000;

export interface Sweep {
  name: QueueName;
  id: string;
  everyMs: number;
  message: object;
}

/** Keeps every sweep's scheduler in its queue: whoever wiped the queue wiped the schedulers too. */
export class Sweeps {
  private readonly stop = new AbortController();
  private readonly sweeps: Sweep[] = [];
  private loop: Promise<void> | undefined;
  private readonly trouble: (message: string) => void;

  constructor(
    private readonly producer: () => Promise<Producer>,
    logger: QueueLogger,
  ) {
    this.trouble = occasionally((reason) =>
      logger.warn({ reason }, 'a sweep could not be scheduled; it is tried again'),
    );
  }

  add(sweep: Sweep): void {
    this.sweeps.push(sweep);
    this.loop ??= this.run();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    await Promise.resolve();
    while (!this.stop.signal.aborted) {
      for (const sweep of this.sweeps) await this.keep(sweep);
      await sleep(PUT_BACK_MS, this.stop.signal);
    }
  }

  private async keep(sweep: Sweep): Promise<void> {
    try {
      const queue = (await this.producer()).queue(sweep.name);
      if (await inPlace(queue, sweep)) return;
      await queue.upsertJobScheduler(
        sweep.id,
        { every: sweep.everyMs },
        { name: `sweep:${sweep.id}`, data: sweep.message, opts: FORGET },
      );
    } catch (error) {
      this.trouble(error instanceof Error ? error.message : String(error));
    }
  }
}

/**
 * Whether the scheduler stands with this interval and still produces. Putting it anew each time would move its waiting job
 * to the end of a busy queue.
 */
async function inPlace(queue: HintQueue, sweep: Sweep): Promise<boolean> {
  const scheduler = await queue.getJobScheduler(sweep.id);
  if (scheduler?.every !== sweep.everyMs) return false;
  const next = Number(scheduler.next ?? 0);
  if (next > Date.now() - LATE_MS) return true;
  return (await queue.getJob(`repeat:${sweep.id}:${next}`)) !== undefined;
}
