import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { Sessions } from '../sessions/sessions.ts';
import type { ApplyOutcome } from './apply-outcome.ts';

const EVERY_MS = 1_000;
const BATCH = 50;
/** What a waiting request gets before the sweep takes its run. */
const LEFT_ALONE_MS = 1_000;

interface Due {
  id: string;
  tenant_id: string;
}

/**
 * Ends what no request ends any more: runs past their deadline or whose workers keep dying, runs that are done and not applied,
 * sessions whose time is over. Every platform process does it; each piece is done once, whoever takes it.
 */
export class StepSweep {
  private readonly task: PeriodicTask;

  constructor(
    private readonly parts: { database: Database; outcomes: ApplyOutcome; sessions: Sessions; logger: Logger },
  ) {
    const { logger } = parts;
    this.task = new PeriodicTask({ name: 'step-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Does what is due now. Never throws: the next round tries again. */
  async sweep(): Promise<void> {
    const { database, outcomes, sessions } = this.parts;
    await this.guarded(() => database.query('select identity.expire_step_runs($1)', [BATCH]));
    await this.each('select * from identity.step_runs_to_apply($1, $2)', [BATCH, LEFT_ALONE_MS], ({ id, tenant_id }) =>
      outcomes.apply(tenant_id, id),
    );
    await this.each('select * from identity.sessions_to_expire($1)', [BATCH], ({ id, tenant_id }) =>
      sessions.expire(tenant_id, id),
    );
  }

  private async each(sql: string, params: unknown[], work: (due: Due) => Promise<unknown>): Promise<void> {
    await this.guarded(async () => {
      for (const due of await this.parts.database.query<Due>(sql, params)) await this.guarded(() => work(due));
    });
  }

  private async guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'steps could not be swept');
    }
  }
}
