import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';

const EVERY_MS = 15_000;
/** What one call of a store's function takes at most. */
const BATCH = 500;

/**
 * Notes cases that are due soon or overdue, and anchors the heads of timelines. Every compliance process does it: the store's functions take each
 * case once, no matter who calls them.
 */
@Injectable()
export class CaseSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    logger: Logger,
  ) {
    super({ name: 'case-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    for (const name of ['note_cases_due_soon', 'breach_overdue_cases', 'anchor_case_heads']) {
      await work.attempt(() => this.all(name, signal), { name });
    }
    work.throwFirstFailure();
  }

  private async all(name: string, signal?: AbortSignal): Promise<void> {
    let done: number | undefined;
    do {
      const [row] = await this.database.query<{ done: number }>(`select compliance.${name}($1) as done`, [BATCH]);
      done = row?.done;
    } while (done && !signal?.aborted);
  }
}
