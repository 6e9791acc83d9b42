import type { Retention } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IdentityTenantRetention1764000003950 } from '../identity/migrations/1764000003950-tenant-retention.ts';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

const DEFAULTS: Retention = {
  identity: { image_days: 90, session_days: 1_825, legal_hold_days: 0 },
  compliance: { blocked_days: 1_825 },
  signing: { unsealed_envelope_days: null },
};

let database: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
});
beforeEach(async () => {
  tenant = await testTenant(database);
});
afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

const show = (id = tenant.id, key = tenant.apiKey) =>
  platform.call<Retention & Problem>(`/tenants/${id}/retention`, { key });
const put = (body: object, id = tenant.id, key = tenant.apiKey) =>
  platform.call<Retention & Problem>(`/tenants/${id}/retention`, { method: 'PUT', key, body });

describe('the retention of a tenant', () => {
  it('is that of the defaults, is replaced as a whole, and is in the audit log', async () => {
    expect((await show()).body).toEqual(DEFAULTS);
    const body = {
      identity: { image_days: 7, legal_hold_days: 365 },
      compliance: { blocked_days: 3_650 },
      signing: { unsealed_envelope_days: 30 },
    };
    const first = await put(body);
    expect([first.status, first.body]).toEqual([200, { ...body, identity: { ...body.identity, session_days: 1_825 } }]);
    expect((await show()).body).toEqual(first.body);
    expect((await put({ signing: { unsealed_envelope_days: null } })).body).toEqual(DEFAULTS);
    const audited = await database.query<{ data: string }>(
      "select data from platform.audit_entry where tenant_id = $1 and type = 'tenant_retention.changed' order by seq",
      [tenant.id],
    );
    expect(audited.map(({ data }) => JSON.parse(data) as object)).toMatchObject([
      {
        before: { identity_image_days: 90, compliance_blocked_days: 1_825, signing_unsealed_envelope_days: null },
        after: { identity_image_days: 7, compliance_blocked_days: 3_650, signing_unsealed_envelope_days: 30 },
      },
      { after: { identity_image_days: 90, compliance_blocked_days: 1_825, signing_unsealed_envelope_days: null } },
    ]);
  });

  it('refuses less than the law asks for, and says why, all errors at once', async () => {
    const { status, body } = await put({
      identity: { image_days: 0, session_days: 3_651 },
      compliance: { blocked_days: 1_824 },
      signing: { unsealed_envelope_days: 'soon' },
      platform: {},
    });
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/compliance/blocked_days',
      '/identity/image_days',
      '/identity/session_days',
      '/platform',
      '/signing/unsealed_envelope_days',
    ]);
    const law = body.errors?.find(({ pointer }) => pointer === '/compliance/blocked_days');
    expect(law?.detail).toContain('SARLAFT obliges you to keep these records for five years: at least 1825');
    expect((await show()).body).toEqual(DEFAULTS);
  });

  it('is read and written by its own tenant alone, and written with settings:write', async () => {
    const stranger = await testTenant(database);
    expect((await show(tenant.id, stranger.apiKey)).status).toBe(404);
    expect((await put({ compliance: { blocked_days: 3_650 } }, tenant.id, stranger.apiKey)).status).toBe(404);
    const auditor = await testMember(database, tenant.id, 'auditor');
    const path = `/tenants/${tenant.id}/retention`;
    expect((await platform.call(path, { member: auditor.token })).body).toEqual(DEFAULTS);
    expect((await platform.call(path, { method: 'PUT', member: auditor.token, body: {} })).status).toBe(403);
    for (const module of ['platform', 'identity', 'compliance']) {
      const store = await Database.connect({ url: database.app(module), applicationName: 'strangers-retention' });
      const read = store.tenant(stranger.id, (tx) =>
        tx.query('select * from platform_v1.tenant_retention($1)', [tenant.id]),
      );
      await expect(read).rejects.toThrow('does not belong to this tenant');
      await store.close();
    }
  });

  it('and the settings of the identity module are one: either shows what the other wrote', async () => {
    const settings = (body?: object) =>
      platform.call('/v1/identity-settings', { key: tenant.apiKey, ...(body && { method: 'PUT', body }) });
    await put({ identity: { image_days: 7 }, compliance: { blocked_days: 2_000 } });
    expect((await settings()).body).toMatchObject({ image_retention_days: 7, session_retention_days: 1_825 });
    await settings({ session_retention_days: 30, legal_hold_days: 5 });
    expect((await show()).body).toMatchObject({
      identity: { image_days: 90, session_days: 30, legal_hold_days: 5 },
      compliance: { blocked_days: 2_000 },
    });
  });

  it('has what a process of the release before writes to the identity module’s own table', async () => {
    await database.query(
      `insert into identity.tenant_settings (tenant_id, image_retention_days, session_retention_days, legal_hold_days)
       values ($1, 8, 9, 10)`,
      [tenant.id],
    );
    expect((await show()).body.identity).toEqual({ image_days: 8, session_days: 9, legal_hold_days: 10 });
  });

  it('has what such a process was writing while the migration began', async () => {
    await database.query('drop function identity.carry_retention cascade');
    const [writer, owner] = [new pg.Client(database.adminUrl), new pg.Client(database.owner('identity'))];
    await Promise.all([writer.connect(), owner.connect()]);
    await writer.query('begin');
    await writer.query(
      `insert into identity.tenant_settings (tenant_id, image_retention_days, session_retention_days, legal_hold_days)
       values ($1, 18, 19, 20)`,
      [tenant.id],
    );
    await owner.query('begin');
    const migrated = new IdentityTenantRetention1764000003950().up(owner as unknown as QueryRunner);
    await eventually(async () => {
      const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await database.query(sql)).toHaveLength(1);
    }, 15_000);
    await writer.query('commit');
    await migrated;
    await owner.query('commit');
    await Promise.all([writer.end(), owner.end()]);
    expect((await show()).body.identity).toEqual({ image_days: 18, session_days: 19, legal_hold_days: 20 });
  });
});
