import { PeriodicTask } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger } from '@constancia/telemetry';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Erasure } from './erasure.ts';

const EVERY_MS = 15_000;
const AT_ONCE = 50;

/** Finishes erasures that waited for a seal. Every process does it; what was done already is left as it is. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly database: Database,
    private readonly erasure: Erasure,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({ name: 'erasure-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.close();
  }

  /** Does what can be done now. Never rejects: the next round tries again. */
  async sweep(): Promise<void> {
    try {
      const sql = 'select tenant_id, id from signing.unsettled_erasures($1)';
      const waiting = await this.database.query<{ tenant_id: string; id: string }>(sql, [AT_ONCE]);
      for (const { tenant_id, id } of waiting) await this.settle(tenant_id, id);
    } catch (error) {
      this.logger.warn({ err: error }, 'erasures that wait for a seal could not be looked for: tried again soon');
    }
  }

  /** Settles one; a failure does not stop the others. */
  private async settle(tenantId: string, id: string): Promise<void> {
    try {
      await this.erasure.settle(tenantId, id);
    } catch (error) {
      this.logger.warn({ err: error, receipt_id: id }, 'an erasure could not be finished: tried again soon');
    }
  }
}
