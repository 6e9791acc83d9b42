import { ChargedWork } from '@constancia/credit-ledger';
import { Idempotency } from '@constancia/idempotency';
import { RequestsUnderWay } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import type { TestDatabase } from '@constancia/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Lists } from '../lists/lists.ts';
import { ScreeningContext } from '../screenings/screening-context.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';
import { CompiledValidations } from '../validations/compiled-validations.ts';
import { ScreeningBatchJobs } from './batch-jobs.ts';
import { ScreeningBatchTurns } from './batch-turns.ts';
import { BatchWorker } from './batch-worker.ts';
import { ChunkCommits } from './chunk-commits.ts';
import { ChunkUnits } from './chunk-units.ts';
import { ScreeningBatches } from './screening-batches.ts';

let started = 0;

/** One more copy of what works on batches, beside the app's own, with store connections that can be cut. */
export class Replica {
  private constructor(
    private readonly name: string,
    private readonly database: Database,
    private readonly jobs: ScreeningBatchJobs,
    private readonly turns: ScreeningBatchTurns,
  ) {}

  static async start(store: TestDatabase, app: NestFastifyApplication): Promise<Replica> {
    const name = `replica-${(started += 1)}`;
    const provided = <T>(type: abstract new (...given: never[]) => T): T => app.get(type, { strict: false });
    const database = await Database.connect({
      url: store.app('compliance'),
      applicationName: name,
      poolSize: 4,
      schema: 'compliance',
      entities: COMPLIANCE_TABLES,
    });
    const personal = provided(PersonalData);
    const units = new ChunkUnits(
      new ScreeningContext(database, personal),
      new CompiledValidations(database),
      provided(Lists),
      personal,
      provided(RequestsUnderWay),
    );
    const work = new ChargedWork(database, 'compliance', provided(Idempotency));
    const jobs = new ScreeningBatchJobs(database);
    const commits = new ChunkCommits(units, work, provided(Queues));
    const logger = { error: () => undefined, warn: () => undefined } as unknown as Logger;
    const batches = new ScreeningBatches(database);
    const turns = new ScreeningBatchTurns(
      jobs,
      batches,
      units,
      commits,
      provided(Queues),
      provided(RequestsUnderWay),
      logger,
      provided(Metrics),
    );
    return new Replica(name, database, jobs, turns);
  }

  async claim(): Promise<string | undefined> {
    const [batch] = await this.jobs.claim();
    return batch && typeId('scb', batch.id);
  }

  /** Works on what is due for one turn. */
  async turn(): Promise<void> {
    const [batch] = await this.jobs.claim().catch(() => []);
    if (batch) await this.turns.run(batch);
  }

  /** Cuts its connections: transactions are rolled back, and it can begin no other. */
  async kill(store: TestDatabase): Promise<void> {
    const closed = this.database.close();
    await store.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      this.name,
    ]);
    await closed.catch(() => undefined);
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

/** Ends the app's own worker: from now on only replicas claim batches. */
export function stopWorkerOf(app: NestFastifyApplication): void {
  app.get(BatchWorker, { strict: false }).onModuleDestroy();
}
