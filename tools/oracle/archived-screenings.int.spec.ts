import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArchiveBench } from '../../apps/compliance/src/screenings/archive/archived-screenings.fixture.ts';
import { brokenMoney } from './money.ts';

let bench: ArchiveBench;

beforeAll(async () => {
  bench = await ArchiveBench.start();
}, 120_000);
afterAll(async () => bench?.close());

const findings = () => brokenMoney((sql, params) => bench.store.query(sql, params));

it('knows what the debits of archived screenings were for, and finds one that is not looked up any more', async () => {
  const tenant = await bench.tenant();
  await bench.screenings(tenant, 3);
  await bench.age(tenant);
  await bench.archived(tenant);
  expect(await findings()).toEqual([]);
  await bench.store.query('delete from compliance.archived_screening where tenant_id = $1 and seq = 1', [tenant.id]);
  expect(JSON.stringify(await findings())).toContain('a debit of nothing that exists');
});
