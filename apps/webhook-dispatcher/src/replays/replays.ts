import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { DispatcherConfig } from '../config.ts';
import { Lanes } from '../deliveries/lanes.ts';

/** A run moves once a second, by as many deliveries as its rate allows. */
const SLICE_EVERY_MS = 1_000;
const EVERY_MS = 500;
const SLICES_AT_ONCE = 100;

/**
 * Carries out replay runs. The state of a run is in Postgres, cursor and next slice included: any number of processes share the
 * work and keep to the rate together.
 */
@Injectable()
export class Replays extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly config: DispatcherConfig,
    logger: Logger,
  ) {
    super({ name: 'replays', everyMs: EVERY_MS, logger, easesOff: true, runsAtStart: true });
  }

  /**
   * Carries out a slice of every run that is due and wakes its endpoints. A run whose slice fails has its next turn like the others;
   * throws the first failure once all had theirs.
   */
  override async run(): Promise<void> {
    const work = new IndependentWork();
    for (let slice = 0; slice < SLICES_AT_ONCE; slice++) {
      const sql = 'select platform.claim_replay($1) as run_id';
      const [claim] = await this.database.query<{ run_id: string | null }>(sql, [SLICE_EVERY_MS]);
      if (!claim?.run_id) break;
      const runId = claim.run_id;
      const carryOn = async () => {
        for (const endpointId of await this.slice(runId)) this.lanes.wake(endpointId);
      };
      await work.attempt(carryOn, { run_id: runId });
    }
    work.throwFirstFailure();
  }

  private async slice(runId: string): Promise<string[]> {
    const sql = 'select platform.replay_slice($1, $2) as endpoints';
    const [done] = await this.database.query<{ endpoints: string[] }>(sql, [runId, this.config.replayRate]);
    return done?.endpoints ?? [];
  }
}
