import type { QueueName } from '@constancia/contracts';
import { IndependentWork, PeriodicTask } from '@constancia/kernel';
import { FORGET } from './backend.ts';
import type { HintQueue, Producer } from './backend.ts';
import type { QueueLogger } from './queue-logger.ts';

const PUT_BACK_MS = 2_000;
/** A scheduler whose job is gone is stuck; one whose job only waits its turn is not. */
const LATE_MS = 10_000;

const SCHEDULER = 'sweep';
/** The name of the jobs that a scheduler makes. */
export const SWEEP_JOB = 'sweep:sweep';

/** A queue has one. */
export interface Sweep {
  name: QueueName;
  everyMs: number;
}

/** Keeps every sweep's scheduler in its queue: wiping the queue wipes the schedulers too. */
export class Sweeps {
  private readonly sweeps: Sweep[] = [];
  private readonly task: PeriodicTask;

  constructor(
    private readonly producer: () => Promise<Producer>,
    logger: QueueLogger,
  ) {
    this.task = new PeriodicTask({ name: 'queue-schedules', everyMs: PUT_BACK_MS, logger, run: () => this.keepAll() });
  }

  add(sweep: Sweep): void {
    this.sweeps.push(sweep);
    if (this.sweeps.length > 1) return;
    this.task.start();
    this.task.wake();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  private async keepAll(): Promise<void> {
    const work = new IndependentWork();
    for (const sweep of this.sweeps) await work.attempt(() => this.keep(sweep), { queue: sweep.name });
    work.throwFirstFailure();
  }

  private async keep(sweep: Sweep): Promise<void> {
    const queue = (await this.producer()).queue(sweep.name);
    if (await inPlace(queue, sweep)) return;
    const job = { name: SWEEP_JOB, data: {}, opts: FORGET };
    await queue.upsertJobScheduler(SCHEDULER, { every: sweep.everyMs }, job);
  }
}

/**
 * Whether the scheduler stands with this interval and still produces. Putting it again each time would move its waiting job
 * to the end of a busy queue.
 */
async function inPlace(queue: HintQueue, sweep: Sweep): Promise<boolean> {
  const scheduler = await queue.getJobScheduler(SCHEDULER);
  if (scheduler?.every !== sweep.everyMs) return false;
  const next = Number(scheduler.next ?? 0);
  if (next > Date.now() - LATE_MS) return true;
  return (await queue.getJob(`repeat:${SCHEDULER}:${next}`)) !== undefined;
}
