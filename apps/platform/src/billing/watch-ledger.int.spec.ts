import { LedgerReader } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Metrics } from '@constancia/telemetry';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LedgerWatch } from './watch-ledger.ts';

describe('the watch over the ledger', () => {
  let store: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    store = await testDatabase();
    database = await Database.connect({ url: store.app('platform'), applicationName: 'spec', poolSize: 2 });
  });
  afterAll(async () => {
    await database?.close();
    await store?.drop();
  });

  function watching() {
    const metrics = new Metrics({ app: 'spec' });
    const logged: object[] = [];
    const logger = { error: (facts: object) => logged.push(facts), warn: (facts: object) => logged.push(facts) };
    const watch = new LedgerWatch(new LedgerReader(database), logger as never, metrics);
    return { watch, logged, drift: async () => /^ledger_drift_credits\{.*\} (.*)$/m.exec(await metrics.text())?.[1] };
  }

  const charge = (tenantId: string, amount = 8) =>
    store.query('select platform_v1.charge($1, $2, $3, $4, $5)', [
      tenantId,
      'compliance',
      'screening',
      uuidv7(),
      amount,
    ]);

  it('sees nothing in a sound ledger, holds and more entries than it reads included', async () => {
    const tenant = await testTenant(store, { credits: 10_000 });
    await testTenant(store, { credits: 0 });
    for (let nth = 0; nth < 230; nth++) await charge(tenant.id, 1);
    await store.query('select platform_v1.hold($1, $2, $3, $4, $5, $6)', [tenant.id, 'identity', 'step_run', uuidv7(), 80, 60]); // prettier-ignore
    const { watch, logged, drift } = watching();
    await watch.run();
    expect(logged).toEqual([]);
    expect(await drift()).toBe('0');
  });

  it('reports by how much an account differs, and of a missing or altered entry, until it is whole again', async () => {
    const tenant = await testTenant(store);
    await charge(tenant.id);
    const { watch, logged, drift } = watching();
    const broken = async (sql: string, by: string): Promise<void> => {
      await store.query('alter table platform.credit_entry disable trigger credit_entry_append_only');
      await store.query(sql, [tenant.id]);
      await watch.run();
      expect(await drift()).toBe(by);
    };
    await broken('update platform.credit_account set available = available + 5 where tenant_id = $1', '5');
    expect(logged).toEqual([{ tenant_id: tenant.id, drift_count: 5 }]);
    await broken('update platform.credit_account set available = available - 5, held = 3 where tenant_id = $1', '3');
    await broken('update platform.credit_account set held = 0 where tenant_id = $1', '0');
    await broken('update platform.credit_entry set amount = amount - 2 where tenant_id = $1 and seq = 2', '2');
    await broken('update platform.credit_entry set amount = amount + 2 where tenant_id = $1 and seq = 2', '0');
    await broken('delete from platform.credit_entry where tenant_id = $1 and seq = 2', '9'); // 8 credits and the entry
    await store.query('delete from platform.credit_account where tenant_id = $1', [tenant.id]);
  });

  it('goes round: more tenants than one look takes are all looked at', async () => {
    for (let nth = 0; nth < 120; nth++) await testTenant(store, { credits: nth === 119 ? 7 : 0 });
    const last = await store.query<{ tenant_id: string }>(
      'select max(tenant_id::text) as tenant_id from platform.credit_account',
    );
    await store.query('update platform.credit_account set available = 107 where tenant_id = $1', [last[0]!.tenant_id]);
    const { watch, drift } = watching();
    await watch.run();
    expect(await drift()).toBe('0');
    await watch.run();
    expect(await drift()).toBe('100');
    await store.query('update platform.credit_account set available = 7 where tenant_id = $1', [last[0]!.tenant_id]);
    await watch.run();
    expect(await drift()).toBe('100'); // of the last whole round
    await watch.run();
    expect(await drift()).toBe('0');
  });
});
