import { type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { writeEntries } from '../billing/usage/many-entries.fixture.ts';

/** Changes entries as no process can. */
export async function withoutTriggers(
  store: Pick<TestDatabase, 'query'>,
  sql: string,
  params: unknown[],
): Promise<void> {
  await store.query('alter table platform.credit_entry disable trigger user');
  await store.query(sql, params);
  await store.query('alter table platform.credit_entry enable trigger user');
}

/** A tenant with 62 entries, of which the first `old` are of 12 years ago, a minute apart. */
export async function tenantWithHistory(store: TestDatabase, old: number): Promise<TestTenant> {
  const tenant = await testTenant(store);
  await writeEntries(store, tenant.id, 60, 10);
  await withoutTriggers(
    store,
    `update platform.credit_entry set created_at = now() - interval '12 years' + make_interval(mins => seq::int),
            ref_type = replace(ref_type, '-', '_')
      where tenant_id = $1 and seq <= $2`,
    [tenant.id, old],
  );
  await store.query('delete from platform.credit_daily_total where tenant_id = $1', [tenant.id]);
  await store.query(
    `insert into platform.credit_daily_total (tenant_id, day, module, ref_type, kind, entries, quantity, amount)
     select tenant_id, (created_at at time zone 'America/Bogota')::date, module, ref_type, kind, count(*), sum(quantity), sum(amount)
       from platform.credit_entry where tenant_id = $1 group by 1, 2, 3, 4, 5`,
    [tenant.id],
  );
  return tenant;
}
