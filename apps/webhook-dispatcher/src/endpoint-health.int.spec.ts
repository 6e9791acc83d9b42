import { uuidv7 } from '@constancia/kernel';
import type { Mail, Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { createLogger, Metrics } from '@constancia/telemetry';
import { testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClaimedDelivery, Deliveries } from './deliveries/deliveries.ts';
import type { Lanes } from './deliveries/lanes.ts';
import { DisabledNotices } from './notices/disabled-notices.ts';
import { Replays } from './replays/replays.ts';
import { emitMany, registerEndpoint, testConfig } from './running-dispatcher.fixture.ts';

/** What the store decides about endpoints and runs, without a dispatcher at work. */

const logger = createLogger({ app: 'test', level: 'silent' });
let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({ url: store.app('platform'), applicationName: 'test' });
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

const FAILED = {
  outcome: 'retry',
  retryMs: 1_000,
  pauseMs: null,
  gone: false,
  errorCode: 'http_status',
  errorDetail: null,
} as const;

async function tenantWithEndpoint() {
  const tenant = await testTenant(store);
  return { tenant, endpointId: await registerEndpoint(store, tenant.id, 'https://receiver.example.test/hooks') };
}

/** One attempt that fails, now. */
async function fail(tenantId: string, endpointId: string): Promise<void> {
  const deliveries = new Deliveries(database);
  await emitMany(store, tenantId, 1);
  await store.query('update platform.webhook_endpoint set probe_until = null where id = $1', [endpointId]);
  const [claimed] = (await deliveries.claim(endpointId, 1)) as [ClaimedDelivery];
  const attempt = { at: new Date(), durationMs: 1, firstByteMs: 1, httpStatus: 500, retryAfter: null, excerpt: null };
  expect(await deliveries.record(claimed, { ...attempt, error: null }, FAILED)).toBe(true);
}

interface Health {
  enabled: boolean;
  consecutive_failures: number;
  first_failure_at: Date;
  notice_due_at: Date | null;
}
const healthOf = async (endpointId: string) =>
  (await store.query<Health>('select * from platform.webhook_endpoint where id = $1', [endpointId]))[0] as Health;
const pass = (days: number, endpointId: string) =>
  store.query(
    `update platform.webhook_endpoint set first_failure_at = first_failure_at - $1 * interval '1 day',
       last_failure_at = last_failure_at - $1 * interval '1 day' where id = $2`,
    [days, endpointId],
  );

describe('an endpoint', () => {
  it('is not disabled by a failure months ago and one now', async () => {
    const { tenant, endpointId } = await tenantWithEndpoint();
    for (let i = 0; i < 6; i++) await fail(tenant.id, endpointId);
    await pass(90, endpointId);
    await fail(tenant.id, endpointId);
    const health = await healthOf(endpointId);
    expect(health).toMatchObject({ enabled: true, consecutive_failures: 1 });
    expect(Date.now() - health.first_failure_at.getTime()).toBeLessThan(60_000);
  });

  it('is disabled by failures all through five days, of which there are several', async () => {
    const { tenant, endpointId } = await tenantWithEndpoint();
    await fail(tenant.id, endpointId);
    for (const day of [2, 4, 6]) {
      await pass(2, endpointId);
      await fail(tenant.id, endpointId);
      expect(await healthOf(endpointId), `day ${day}`).toMatchObject({ enabled: true });
    }
    await fail(tenant.id, endpointId);
    expect(await healthOf(endpointId)).toMatchObject({ enabled: false, consecutive_failures: 5 });
  });

  it('that came back and was disabled again while its owner was notified is notified about again', async () => {
    const { tenant, endpointId } = await tenantWithEndpoint();
    const disable = () =>
      store.query(
        `update platform.webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = clock_timestamp(),
           announced_at = null, notice_due_at = now() where id = $1`,
        [endpointId],
      );
    let mailed = 0;
    const mailer = {
      send: async ({ to }: Mail) => {
        if (to === `owner@${tenant.slug}.example` && ++mailed === 1) await disable();
      },
    };
    const metrics = new Metrics({ app: 'test' });
    const notices = new DisabledNotices(database, mailer as unknown as Mailer, testConfig(store), logger, metrics);
    await disable();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await notices.run(new AbortController().signal);
    expect((await healthOf(endpointId)).notice_due_at).not.toBeNull();
    await notices.run(new AbortController().signal);
    expect(mailed).toBe(2);
    expect((await healthOf(endpointId)).notice_due_at).toBeNull();
  });

  it('that is disabled notifies developers and owners once, each as they want it', async () => {
    const { tenant, endpointId } = await tenantWithEndpoint();
    const [dev, quiet] = [
      await testMember(store, tenant.id, 'developer'),
      await testMember(store, tenant.id, 'developer'),
    ];
    await testMember(store, tenant.id, 'analyst');
    const off = (email: string) =>
      store.query(
        `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off)
         select m.id, m.tenant_id, '{endpoint_disabled}', '{}' from platform.member m where m.email = $1`,
        [email],
      );
    await off(quiet.email);
    await off(`owner@${tenant.slug}.example`);
    await store.query(
      `update platform.webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = now(), notice_due_at = now()
        where id = $1`,
      [endpointId],
    );
    const sent: string[] = [];
    const mailer = { send: async ({ to }: Mail) => void sent.push(to) };
    const metrics = new Metrics({ app: 'test' });
    const notices = () =>
      new DisabledNotices(database, mailer as unknown as Mailer, testConfig(store), logger, metrics);
    const signal = new AbortController().signal;
    await Promise.all([notices().run(signal), notices().run(signal)]);
    expect((await healthOf(endpointId)).notice_due_at).toBeNull();
    const told = await store.query<{ told: string }>(
      `select m.role || case when w.id is null then '' else ', by mail' end as told
         from platform.member_notification n join platform.member m on m.id = n.member_id
         left join platform.member_mail w on w.member_id = m.id and w.kind = n.kind
        where n.ref_id = $1 and n.kind = 'endpoint_disabled' order by told`,
      [endpointId],
    );
    expect(told.map((row) => row.told)).toEqual(['developer', 'developer, by mail', 'owner']);
    expect(sent.filter((to) => to === `owner@${tenant.slug}.example` || to === dev.email)).toEqual([]);
  });
});

describe('a replay run whose slices fail', () => {
  it('does not keep the others waiting', async () => {
    const runs: string[] = [];
    for (const { tenant } of [await tenantWithEndpoint(), await tenantWithEndpoint()]) {
      const events = (await emitMany(store, tenant.id, 3)).map((record) => record.event_id);
      await store.query(
        `update platform.delivery set status = 'failed', failed_at = now(), next_attempt_at = null where event_id = any ($1)`,
        [events],
      );
      const run = uuidv7();
      await store.query(
        `insert into platform.replay_run (id, tenant_id, status, dry_run, statuses, max_deliveries)
         values ($1, $2, 'running', false, '{failed}', 100)`,
        [run, tenant.id],
      );
      runs.push(run);
    }
    await store.query(`
      create function platform.spec_refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
      create trigger spec_refuse before update on platform.delivery for each row
        when (new.replay_run_id = '${runs[0]}') execute function platform.spec_refuse()`);
    const woken: string[] = [];
    const lanes = { wake: (endpointId: string) => void woken.push(endpointId) } as unknown as Lanes;
    const replays = new Replays(database, lanes, testConfig(store), logger);
    await expect(replays.run()).rejects.toThrow('broken');
    const rows = await store.query<{ id: string; status: string }>(
      'select id, status from platform.replay_run where id = any ($1) order by id',
      [runs],
    );
    expect(rows.map((row) => row.status)).toEqual(['running', 'completed']);
    expect(woken).toHaveLength(1);
    await replays.run(); // the broken one is not due yet
    await store.query('drop trigger spec_refuse on platform.delivery; drop function platform.spec_refuse()');
    await store.query('update platform.replay_run set next_slice_at = now() where id = $1', [runs[0]]);
    await replays.run();
    expect(woken).toHaveLength(2);
  });
});
