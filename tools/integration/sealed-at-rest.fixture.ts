import { SIGNING_CONTEXT, type SignerValues } from '@constancia/contracts';
import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import type { TestDatabase, TestTenant } from '@constancia/testing';
import { SEALED_TABLES } from '../../apps/signing/src/sealing/sealed-tables.ts';
import { SIGNING_TABLES } from '../../apps/signing/src/tables.ts';
import { signingKeyring, type WorkerServices } from '../../apps/sealing-worker/src/running-sealing-worker.fixture.ts';

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

/** Values of the sender's fields, as the signing app keeps them. */
export async function fillInAsSender(
  store: TestDatabase,
  services: WorkerServices,
  tenant: TestTenant,
  { envelopeId, values }: { envelopeId: string; values: SignerValues },
): Promise<void> {
  const [row] = await store.query<{ wrapped_key: Buffer }>(
    'select wrapped_key from signing.subject_key where id = $1',
    [envelopeId],
  );
  const key = (await signingKeyring(store, services, tenant)).subject(envelopeId, row?.wrapped_key as Buffer);
  await store.query('update signing.envelope set sealed_values = $2 where id = $1', [
    envelopeId,
    key.seal(SIGNING_CONTEXT.senderValues(envelopeId), values),
  ]);
}
