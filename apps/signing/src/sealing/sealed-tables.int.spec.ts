import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import { ContractChecker, eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findCanaries } from '@constancia/testing/canary-scan';
import { SIGNING_TABLES } from '../tables.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

let store: TestDatabase;
let signing: RunningSigning;

const NAME = 'Canaria Inventada Trinos';
const PLACEHOLDERS = [{ key: 'name', page: 1, x: 72, y: 700 }];

beforeAll(async () => {
  store = await testDatabase();
  await store.query(`update signing.personal_data_mode set mode = 'compatible'`);
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
afterAll(async () => {
  await signing?.close();
  await store?.drop();
});

/** What the sealing run of the release before, and that of this one, get of a request. */
async function claimed(name: 'claim_sealing' | 'claim_sealing_v2', id: string): Promise<Record<string, unknown>> {
  await store.query('update signing.signature_request set retry_at = now()');
  const rows = await store.query<{ id: string }>(`select * from signing.${name}(100, 1)`);
  return rows.find((row) => row.id === id) as Record<string, unknown>;
}

it('in an upgraded database a request is kept as the release before reads it, until the upgrade is finished; then it is sealed', async () => {
  const tenant = await testTenant(store);
  const templateId = await signing.template(tenant.apiKey, PLACEHOLDERS);
  const accept = async () =>
    uuidOf('sig', await signing.signature(tenant.apiKey, templateId, { merge_data: { name: NAME } })) as string;
  const scan = () => findCanaries((sql, params) => store.query(sql, params), [NAME]);
  const before = await accept();
  expect(await claimed('claim_sealing', before)).toMatchObject({ merge_data: { name: NAME } });
  expect(await claimed('claim_sealing_v2', before)).toMatchObject({
    merge_data: { name: NAME },
    sealed_merge_data: null,
    merge_key: null,
  });

  await store.query(`update signing.personal_data_mode set mode = 'sealed', changed_at = now() - interval '1 hour'`);
  // Known to every process within a second.
  const after = await eventually(async () => {
    const id = await accept();
    expect(await claimed('claim_sealing_v2', id)).toMatchObject({ merge_data: {} });
    return id;
  });
  const database = await Database.connect({
    url: store.app('signing'),
    applicationName: 'test',
    schema: 'signing',
    entities: SIGNING_TABLES,
  });
  const logger = createLogger({ app: 'test', level: 'error' });
  const personal = signing.app.get(PersonalData);
  const sweep = new SealingSweep({ schema: 'signing', database, personal, logger, tables: SEALED_TABLES });
  await sweep.run();
  await sweep.run();
  await database.close();
  expect(await scan()).toEqual([]);
  expect(await store.query('select table_name from signing.sealing_progress where done_at is null')).toEqual([]);
  const keyring = await personal.tenant(tenant.id);
  for (const id of [before, after]) {
    const { sealed_merge_data, merge_key } = await claimed('claim_sealing_v2', id);
    const key = keyring.subject(id, merge_key as Buffer);
    expect(key.open(`signature_request:${id}:merge_data`, sealed_merge_data as Buffer)).toEqual({ name: NAME });
  }
});
