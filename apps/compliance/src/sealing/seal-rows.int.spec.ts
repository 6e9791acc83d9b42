import { Database } from '@constancia/persistence';
import { SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCanaries } from '@constancia/testing/canary-scan';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { csvOf, importEntries } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import { personalData } from '../cases/cases.fixture.ts';
import { ListContents, type ListVersionKey } from '../lists/list-contents.ts';
import { SEALED_TABLES } from './seal-rows.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';

let store: TestDatabase;
let compliance: RunningCompliance;

const NAME = 'Canaria Inventada Trinos';
/** Somebody on the tenant's own list. */
const OWN = 'Calandria Propia Vetada';

beforeAll(async () => {
  store = await testDatabase();
  await store.query(`update compliance.personal_data_mode set mode = 'compatible'`);
  compliance = await runningCompliance(store);
  await listsLoaded(compliance, (await testTenant(store)).apiKey);
});
afterAll(async () => {
  await compliance?.close();
  await store?.drop();
});

describe('an upgraded database', () => {
  it('is written as the release before reads it, until the upgrade is finished; then everything is sealed', async () => {
    const tenant = await testTenant(store);
    await seededValidation(compliance, tenant.apiKey);
    const entries = [{ id: 'I-1', name: NAME, birthDate: '1987-03-14' }];
    await importEntries(compliance, 'ONU', entries, { force: true });
    const payload = { full_name: NAME, birth_date: '1987-03-14' };
    const body = { subject_ref: 'customer-1', subject_type: 'natural', payload };
    const screened = () =>
      compliance.call<{ id: string; case_id: string }>('/v1/screenings', { method: 'POST', key: tenant.apiKey, body });
    const own = csvOf([{ id: 'P-1', name: OWN }]).toString();
    const type = { 'content-type': 'text/csv' };
    await compliance.call('/v1/lists/INTERNAL', { method: 'PUT', key: tenant.apiKey, body: own, headers: type });
    const ownScan = () => findCanaries((sql, params) => store.query(sql, params), [OWN]);
    const { id, case_id } = (await screened()).body;
    const shown = () =>
      Promise.all(
        [`/v1/screenings/${id}`, `/v1/screenings/${id}/replay`, `/v1/cases/${case_id}`].map(
          async (path) => (await compliance.call(path, { key: tenant.apiKey })).body,
        ),
      );
    const before = await shown();
    const [row] = await store.query<{ facts: { payload: object }; result: string; subject: object }>(
      `select s.facts, s.result, c.subject from compliance.screening s join compliance.review_case c on c.id = s.case_id
        where s.tenant_id = $1`,
      [tenant.id],
    );
    expect(row).toMatchObject({ facts: { payload }, subject: payload });
    expect(row?.result).toContain(NAME);
    expect(await ownScan()).toMatchObject([{ table: 'compliance.list_content', column: 'bytes' }]);

    await store.query(
      `update compliance.personal_data_mode set mode = 'sealed', changed_at = now() - interval '1 hour'`,
    );
    const database = await Database.connect({
      url: store.app('compliance'),
      applicationName: 'test',
      entities: COMPLIANCE_TABLES,
    });
    const personal = await personalData(database);
    const sweep = new SealingSweep({
      schema: 'compliance',
      database,
      personal,
      logger: createLogger({ app: 'test', level: 'error' }),
      tables: SEALED_TABLES,
    });
    await sweep.run();
    await sweep.run();
    const [version] = await store.query<{ id: string; tenant_id: string }>(
      'select id, tenant_id from compliance.list_version where tenant_id = $1',
      [tenant.id],
    );
    const index = await new ListContents(database, personal).read(version as ListVersionKey, 'index');
    await database.close();
    expect(index?.includes(OWN)).toBe(true);
    expect(await ownScan()).toEqual([]);
    // The list that names the person is the operator's: what is published of listed people is reference data.
    const scan = async () =>
      (await findCanaries((sql, params) => store.query(sql, params), [NAME])).filter(
        ({ table }) => table !== 'compliance.list_content',
      );
    expect(await scan()).toEqual([]);
    const progress = await store.query<{ done_at: Date | null }>('select done_at from compliance.sealing_progress');
    expect(progress.map(({ done_at }) => done_at !== null)).toEqual([true, true, true]);
    expect(await shown()).toEqual(before);
    expect((await screened()).body.case_id).toBe(case_id);
    expect(await scan()).toEqual([]);
  }, 120_000);
});
