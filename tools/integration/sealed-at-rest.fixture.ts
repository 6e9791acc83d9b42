import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import type { TestDatabase } from '@constancia/testing';
import { SEALED_TABLES } from '../../apps/signing/src/sealing/sealed-tables.ts';
import { SIGNING_TABLES } from '../../apps/signing/src/tables.ts';
import type { WorkerServices } from '../../apps/sealing-worker/src/running-sealing-worker.fixture.ts';

/** Seals all personal data of the signing app that is in the clear, as its sweep does. */
export async function sealAtRest(store: TestDatabase, { kms }: Pick<WorkerServices, 'kms'>): Promise<void> {
  const database = await Database.connect({
    url: store.app('signing'),
    applicationName: 'test',
    schema: 'signing',
    entities: SIGNING_TABLES,
  });
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: kms.url });
  const personal = new PersonalData({ schema: 'signing', database, dataKeys });
  const logger = createLogger({ app: 'test', level: 'error' });
  await new SealingSweep({ schema: 'signing', database, personal, logger, tables: SEALED_TABLES }).run();
  dataKeys.close();
  await database.close();
}
