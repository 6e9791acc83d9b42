import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';

const EVERY_MS = 15_000;
/** What one call of a store's function takes at the most. */
const BATCH = 500;

/**
 * Notes overdue cases, and anchors the heads of timelines. Every compliance process does both: the store's functions take each
 * case once, whoever calls them.
 */
export class CaseSweep {
  private readonly task: PeriodicTask;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    everyMs: number = EVERY_MS,
  ) {
    this.task = new PeriodicTask({ name: 'case-sweep', everyMs, logger, run: (signal) => this.sweep(signal) });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Does what is due now. Never throws: the next round tries again. */
  async sweep(signal?: AbortSignal): Promise<void> {
    await this.all('breach_overdue_cases', signal);
    await this.all('anchor_case_heads', signal);
  }

  private async all(name: 'breach_overdue_cases' | 'anchor_case_heads', signal?: AbortSignal): Promise<void> {
    try {
      let done: number | undefined;
      do {
        const [row] = await this.database.query<{ done: number }>(`select compliance.${name}($1) as done`, [BATCH]);
        done = row?.done;
      } while (done && !signal?.aborted);
    } catch (error) {
      this.logger.warn({ err: error, sweep: name }, 'cases could not be swept');
    }
  }
}
