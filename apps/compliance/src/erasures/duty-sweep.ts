import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Erasure } from './erasure.ts';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;

/** Destroys the keys of what was blocked, once the legal duty is over. Every process does it; a receipt ends once. */
export class DutySweep {
  private readonly task: PeriodicTask;

  constructor(
    private readonly database: Database,
    private readonly erasure: Pick<Erasure, 'endDuty'>,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({ name: 'duty-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Does what is due now. Never throws: the next round tries again. */
  async sweep(): Promise<void> {
    try {
      const due = await this.database.query<{ tenant_id: string; id: string }>(
        'select tenant_id, id from compliance.ended_duties($1)',
        [BATCH],
      );
      for (const { tenant_id, id } of due) await this.endDuty(tenant_id, id);
    } catch (error) {
      this.logger.warn({ err: error }, 'ended duties could not be looked for: tried again later');
    }
  }

  /** Ends one; a failure does not stop the others. */
  private async endDuty(tenantId: string, id: string): Promise<void> {
    try {
      await this.erasure.endDuty(tenantId, id);
    } catch (error) {
      this.logger.warn({ err: error, receipt_id: id }, 'blocked data whose duty has ended could not be destroyed');
    }
  }
}
