import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findCanaries } from '@constancia/testing/canary-scan';
import { SIGNING_TABLES } from '../tables.ts';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { Signing } from '../sign/sign.fixture.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

const ENVELOPES = 12;
const VOIDED = 'Canaria pidió otro contrato';

let store: TestDatabase;
let running: RunningSigning;
let database: Database;

beforeAll(async () => {
  store = await testDatabase();
  await store.query(`update signing.personal_data_mode set mode = 'compatible'`);
  running = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  database = await Database.connect({
    url: store.app('signing'),
    applicationName: 'test',
    schema: 'signing',
    entities: SIGNING_TABLES,
  });
});
afterAll(async () => {
  await database?.close();
  await running?.close();
  await store?.drop();
});

/** A process that seals what is in the clear. */
const sweep = () =>
  new SealingSweep({
    schema: 'signing',
    database,
    personal: running.app.get(PersonalData),
    logger: createLogger({ app: 'test', level: 'error' }),
    tables: SEALED_TABLES,
  }).run();

it('an erasure concurrent with the sealing of the same rows leaves no clear text and no row that cannot be opened', async () => {
  const tenant = await testTenant(store);
  const signing = new Signing(running, store, tenant.apiKey);
  const circuit = await signing.circuit();
  const emails = Array.from({ length: ENVELOPES }, (_, nth) => `canaria-${nth}@trinos.example.co`);
  const sent: { id: string }[] = [];
  for (const email of emails) sent.push(await signing.envelope(circuit, [{ role: 'a', email }], { notify: false }));
  const erased = (nth: number) => nth % 3 !== 2;

  await store.query(`update signing.personal_data_mode set mode = 'sealed', changed_at = now() - interval '1 hour'`);
  const erasures = emails.filter((_, nth) => erased(nth)).map((email, nth) =>
    running.call('/v1/erasures', { key: tenant.apiKey, body: { subject_ref: `customer-${nth}`, email } })); // prettier-ignore
  const voids = sent.map(({ id }) => signing.asTenant('POST', `/v1/envelopes/${id}/void`, { reason: VOIDED }));
  const [answers] = await Promise.all([Promise.all(erasures), Promise.all(voids), sweep(), sweep()]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await sweep();
  await sweep();

  expect(await findCanaries((sql, params) => store.query(sql, params), [...emails, VOIDED])).toEqual([]);
  expect(await store.query('select table_name from signing.sealing_progress where done_at is null')).toEqual([]);
  const shown = await Promise.all(sent.map(({ id }) => signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${id}`)));
  const addresses = shown.map(({ body }) => body.signers[0]?.email);
  expect(addresses).toEqual(emails.map((email, nth) => (erased(nth) ? 'erased@erased.invalid' : email)));
  const keys = await store.query<{ id: string }>(
    `select id from signing.subject_key where wrapped_key is not null and id in (select id from signing.envelope_signer)`,
  );
  const kept = shown.filter((_, nth) => !erased(nth)).map(({ body }) => uuidOf('sgn', body.signers[0]?.id ?? ''));
  expect(keys.map(({ id }) => id).sort()).toEqual(kept.sort());
}, 60_000);
