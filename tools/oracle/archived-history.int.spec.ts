import { afterAll, beforeAll, expect, it } from 'vitest';
import { OldCases } from '../../apps/compliance/src/cases/archive/old-cases.fixture.ts';
import { TimelineArchives } from '../../apps/compliance/src/cases/archive/timeline-archives.ts';
import { ArchiveBench } from '../../apps/compliance/src/screenings/archive/archived-screenings.fixture.ts';
import { forged } from '../../libs/archives/src/archive-faults.fixture.ts';
import { brokenChains } from './chains.ts';
import { brokenMoney } from './money.ts';

let bench: ArchiveBench;

beforeAll(async () => {
  bench = await ArchiveBench.start();
}, 120_000);
afterAll(async () => bench?.close());

const query = (sql: string, params?: unknown[]) => bench.store.query<never>(sql, params);

it('knows what the debits of archived screenings were for, and finds one that is not looked up any more', async () => {
  const tenant = await bench.tenant();
  await bench.screenings(tenant, 3);
  await bench.age(tenant);
  await bench.archived(tenant);
  expect(await brokenMoney(query)).toEqual([]);
  await bench.store.query('delete from compliance.archived_screening where tenant_id = $1 and seq = 1', [tenant.id]);
  expect(JSON.stringify(await brokenMoney(query))).toContain('a debit of nothing that exists');
});

it('knows where an archived timeline goes on, and finds one that does not', async () => {
  const old = new OldCases(bench, await bench.tenant());
  const caseId = await old.resolved();
  await bench.compliance.app.get(TimelineArchives, { strict: false }).archiveNext(old.tenant.id, 'noche', 'test');
  expect(await brokenChains(query)).toEqual([]);
  await old.reopen(caseId);
  expect(await brokenChains(query)).toEqual([]);
  await forged(bench.store, 'compliance.archived_timeline', `head_hash = repeat('1', 64)`);
  expect(JSON.stringify(await brokenChains(query))).toContain('chain of compliance.case_event');
});
