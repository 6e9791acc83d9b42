import { IndependentWork } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { Sessions } from '../sessions/sessions.ts';
import { ApplyOutcome } from './apply-outcome.ts';

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
 * sessions whose time is over. Every platform process does it; each piece is done once, by one of them.
 */
@Injectable()
export class StepSweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly outcomes: ApplyOutcome,
    private readonly sessions: Sessions,
    logger: Logger,
  ) {
    super({ name: 'step-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const { database, outcomes, sessions } = this;
    const work = new IndependentWork();
    const each = (sql: string, params: unknown[], end: (due: Due) => Promise<unknown>) =>
      work.attempt(async () => {
        for (const due of await database.query<Due>(sql, params)) {
          await work.attempt(() => end(due), { tenant_id: due.tenant_id });
        }
      });
    await work.attempt(() => database.query('select identity.expire_step_runs($1)', [BATCH]));
    await each('select * from identity.step_runs_to_apply($1, $2)', [BATCH, LEFT_ALONE_MS], ({ id, tenant_id }) =>
      outcomes.apply(tenant_id, id),
    );
    await each('select * from identity.sessions_to_expire($1)', [BATCH], ({ id, tenant_id }) =>
      sessions.expire(tenant_id, id),
    );
    work.throwFirstFailure();
  }
}
