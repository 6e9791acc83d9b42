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
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly everyMs: number = EVERY_MS,
  ) {}

  start(): void {
    this.timer = setInterval(() => (this.running = this.sweep()), this.everyMs);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Does what is due now. Never throws: the next round tries again. */
  async sweep(): Promise<void> {
    await this.all('breach_overdue_cases');
    await this.all('anchor_case_heads');
  }

  private async all(name: 'breach_overdue_cases' | 'anchor_case_heads'): Promise<void> {
    try {
      let done: number | undefined;
      do {
        const [row] = await this.database.query<{ done: number }>(`select compliance.${name}($1) as done`, [BATCH]);
        done = row?.done;
      } while (done);
    } catch (error) {
      this.logger.warn({ err: error, sweep: name }, 'cases could not be swept');
    }
  }
}
