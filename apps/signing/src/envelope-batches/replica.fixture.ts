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
import { Circuits } from '../circuits/circuits.ts';
import { EnvelopeUnits } from '../envelopes/envelope-units.ts';
import { SenderOwners } from '../mails/sender-owners.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SIGNING_TABLES } from '../tables.ts';
import { EnvelopeBatchJobs } from './batch-jobs.ts';
import { EnvelopeBatchTurns } from './batch-turns.ts';
import { BatchWorker } from './batch-worker.ts';
import { ChunkEnvelopes } from './chunk-envelopes.ts';
import { EnvelopeBatches } from './envelope-batches.ts';

let started = 0;

/** What works on batches, with a store connection of its own, which is cut when it is killed: from then on it can do nothing. */
export class Replica {
  private constructor(
    private readonly name: string,
    private readonly database: Database,
    private readonly jobs: EnvelopeBatchJobs,
    private readonly turns: EnvelopeBatchTurns,
  ) {}

  static async start(store: TestDatabase, app: NestFastifyApplication): Promise<Replica> {
    const name = `replica-${(started += 1)}`;
    const part = <T>(type: abstract new (...given: never[]) => T): T => app.get(type, { strict: false });
    const database = await Database.connect({
      url: store.app('signing'),
      applicationName: name,
      poolSize: 4,
      schema: 'signing',
      entities: SIGNING_TABLES,
    });
    const chunks = new ChunkEnvelopes(
      new Circuits(database),
      part(EnvelopeUnits),
      new SenderOwners(database),
      part(PersonalData),
      new ChargedWork(database, 'signing', part(Idempotency)),
      part(Queues),
      part(SignerMailLoop),
    );
    const jobs = new EnvelopeBatchJobs(database);
    const logger = { error: () => undefined, warn: () => undefined } as unknown as Logger;
    const batches = new EnvelopeBatches(database);
    const turns = new EnvelopeBatchTurns(
      jobs,
      batches,
      chunks,
      part(Queues),
      part(RequestsUnderWay),
      logger,
      part(Metrics),
    );
    return new Replica(name, database, jobs, turns);
  }

  async claim(): Promise<string | undefined> {
    const [batch] = await this.jobs.claim();
    return batch && typeId('evb', batch.id);
  }

  /** Works on what is due for one turn. */
  async turn(): Promise<void> {
    const [batch] = await this.jobs.claim().catch(() => []);
    if (batch) await this.turns.run(batch);
  }

  /** Its transactions end where they are, and it begins no other one. */
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
