import { typeId } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { ClosingView } from '../tenants/closing-view.ts';
import type { TenantView } from '../tenants/tenant-view.ts';
import { CloseTenants } from './close-tenants.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 15_000;

let database: TestDatabase;
let platform: RunningPlatform;
let ops: OpsPort;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
  ops = await opsPortOf(platform.app);
});
afterAll(async () => {
  await ops?.close();
  await platform?.close();
  await database?.drop();
});

type By = { member: string } | { key: string };

/** A tenant with two owners, in Spanish and in English. */
async function ownedTenant() {
  const tenant = await testTenant(database);
  const { id, slug } = tenant;
  const owner = await testMember(database, id, 'owner', { name: 'Ana Ruiz' });
  const path = `/tenants/${id}/closing`;
  const confirm_name = `Tenant ${slug}`;
  const request = (by: By = { member: owner.token }, body: object = { confirm_name, reason: 'Otro proveedor' }) =>
    platform.call<ClosingView & Problem>(path, { ...by, body });
  const reconsider = (by: By = { member: owner.token }) => platform.call<Problem>(path, { ...by, method: 'DELETE' });
  const show = () => platform.call<TenantView>(`/tenants/${id}`, { member: owner.token });
  return { ...tenant, owner, path, confirm_name, request, reconsider, show };
}

const sweep = () => platform.app.get(CloseTenants, { strict: false }).run();
const endIn = (tenantId: string, interval: string) =>
  database.query(`update platform.tenant_closing set closes_at = now() + $2::interval where tenant_id = $1`, [
    tenantId,
    interval,
  ]);
const actions = async (tenantId: string) =>
  (
    await database.query<{ type: string }>('select type from platform.audit_entry where tenant_id = $1 order by seq', [
      tenantId,
    ])
  ).map(({ type }) => type);
/** Notices wait in the store: these tests have no mail server. */
const notices = (tenantId: string) =>
  database.query<{ kind: string; detail: string }>(
    `select kind, detail from platform.owner_notice where tenant_id = $1 and kind like 'tenant_clos%' order by kind`,
    [tenantId],
  );
const kinds = async (tenantId: string) => (await notices(tenantId)).map(({ kind }) => kind);
const slugOf = ({ body }: { body: Problem }) => body.type?.split('/').at(-1);
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('POST /tenants/{id}/closing', () => {
  it('begins thirty days in which the tenant is shown as being closed, to owners and operators', async () => {
    const tenant = await ownedTenant();
    const before = Date.now();
    const { status, body } = await tenant.request();
    expect(status).toBe(202);
    expect(body).toMatchObject({
      requested_by: { id: typeId('mbr', tenant.owner.id), name: 'Ana Ruiz' },
      reason: 'Otro proveedor',
    });
    const days = (Date.parse(body.closes_at) - before) / DAY_MS;
    expect(days).toBeGreaterThanOrEqual(30);
    expect(days).toBeLessThan(30.01);
    expect((await platform.call<ClosingView>(tenant.path, { key: tenant.apiKey })).body).toEqual(body);
    expect((await tenant.show()).body.closing).toEqual(body);
    expect((await ops.get(`/tenants/${tenant.slug}`)).body).toMatchObject({
      standing: 'closing',
      standing_since: body.requested_at,
      closing: { requested_by: 'Ana Ruiz', reason: 'Otro proveedor', closes_at: body.closes_at, closed_at: null },
    });
    expect(await actions(tenant.id)).toEqual(['tenant.closing_requested']);
    const mailed = await notices(tenant.id);
    expect(mailed.map(({ kind }) => kind)).toEqual(Array(2).fill('tenant_closing_requested'));
    const recipients = mailed.map(({ detail }) => (JSON.parse(detail) as { email: string }).email).sort();
    expect(recipients).toEqual([tenant.owner.email, `owner@${tenant.slug}.example`].sort());
  });

  it('is for owners who are signed in, of this tenant, who name it', async () => {
    const tenant = await ownedTenant();
    const admin = await testMember(database, tenant.id, 'admin');
    const stranger = await ownedTenant();
    expect(slugOf(await tenant.request({ key: tenant.apiKey }))).toBe('forbidden');
    expect(slugOf(await tenant.request({ member: admin.token }))).toBe('forbidden');
    expect((await tenant.request({ member: stranger.owner.token })).status).toBe(404);
    const misnamed = await tenant.request(undefined, { confirm_name: 'Tenant' });
    expect([misnamed.status, misnamed.body.errors?.[0]?.pointer]).toEqual([400, '/confirm_name']);
    expect((await platform.call(tenant.path, { key: tenant.apiKey })).status).toBe(404);
    await tenant.request();
    expect(slugOf(await tenant.request())).toBe('state-conflict');
    expect(slugOf(await tenant.reconsider({ key: tenant.apiKey }))).toBe('forbidden');
    expect(slugOf(await tenant.reconsider({ member: admin.token }))).toBe('forbidden');
  });

  it('of several requests at once takes one, and of several reconsiderations one', async () => {
    const tenant = await ownedTenant();
    const many = [1, 2, 3, 4];
    expect(statuses(await Promise.all(many.map(() => tenant.request())))).toEqual([202, 409, 409, 409]);
    expect(statuses(await Promise.all(many.map(() => tenant.reconsider())))).toEqual([204, 404, 404, 404]);
    expect(await actions(tenant.id)).toEqual(['tenant.closing_requested', 'tenant.closing_reconsidered']);
    expect(await kinds(tenant.id)).toEqual([
      ...Array<string>(2).fill('tenant_closing_reconsidered'),
      ...Array<string>(2).fill('tenant_closing_requested'),
    ]);
  });
});

describe('while a tenant is being closed', () => {
  it('it reads, takes access away and manages members; anything new is refused until an owner reconsiders', async () => {
    const tenant = await ownedTenant();
    const by = { member: tenant.owner.token };
    const create = () =>
      platform.call<{ id: string } & Problem>('/v1/api-keys', { ...by, body: { name: 'k', scopes: ['audit:read'] } });
    const key = await create();
    await tenant.request();
    const topup = { amount_credits: 1_000, return_url: 'https://shop.example' };
    await eventually(async () => expect(slugOf(await create())).toBe('tenant-closing'), SOON_MS);
    const refused = await Promise.all([
      platform.call<Problem>('/v1/billing/topup', { ...by, body: topup }),
      platform.call<Problem>('/v1/flows/seed-default', { method: 'POST', key: tenant.apiKey }),
      platform.call<Problem>(`/tenants/${tenant.id}`, { ...by, method: 'PATCH', body: { locale: 'en' } }),
      platform.call<Problem>('/v1/webhook-endpoints', { ...by, body: { url: 'https://x.example/' } }),
    ]);
    expect(refused.map((answer) => [answer.status, slugOf(answer)])).toEqual(Array(4).fill([403, 'tenant-closing']));
    expect((await platform.call('/v1/billing/balance', { key: tenant.apiKey })).status).toBe(200);
    expect((await platform.call('/v1/audit-log', by)).status).toBe(200);
    expect((await platform.call(`/v1/api-keys/${key.body.id}`, { ...by, method: 'DELETE' })).status).toBe(204);
    const invitation = { email: 'eva@members.example', name: 'Eva', role: 'owner' };
    const invited = await platform.call<{ id: string }>('/v1/members', { ...by, body: invitation });
    expect(invited.status).toBe(201);
    const second = await testMember(database, tenant.id, 'owner');
    expect((await tenant.reconsider({ member: second.token })).status).toBe(204);
    expect((await tenant.show()).body.closing).toBeNull();
    await eventually(async () => expect((await create()).status).toBe(201), SOON_MS);
  });

  it('no mail asks it to buy credits', async () => {
    const tenant = await ownedTenant();
    const settings = { low_balance_threshold: 900, notify: true };
    const { token: member } = tenant.owner;
    await platform.call('/v1/billing/settings', { method: 'PUT', member, body: settings });
    const spend = () =>
      database.query('update platform.credit_account set available = available - 200 where tenant_id = $1', [
        tenant.id,
      ]);
    await tenant.request();
    await spend();
    const warned = () =>
      database.query(`select 1 from platform.owner_notice where tenant_id = $1 and kind = 'balance_low'`, [tenant.id]);
    expect(await warned()).toEqual([]);
    await tenant.reconsider();
    await database.query('update platform.credit_account set available = 1000 where tenant_id = $1', [tenant.id]);
    await spend();
    expect((await warned()).length).toBeGreaterThan(0);
  });

  it('owners are reminded once, in the last seven days', async () => {
    const tenant = await ownedTenant();
    await tenant.request();
    await endIn(tenant.id, '8 days');
    await sweep();
    expect(await kinds(tenant.id)).not.toContain('tenant_closing_reminder');
    await endIn(tenant.id, '6 days');
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const reminders = (await kinds(tenant.id)).filter((kind) => kind === 'tenant_closing_reminder');
    expect(reminders).toHaveLength(2); // one for each owner
  });
});

describe('at the end', () => {
  it('credentials, members and secrets are gone, once, and what is left is with the operators', async () => {
    const tenant = await ownedTenant();
    const { id, apiKey } = tenant;
    const by = { member: tenant.owner.token };
    await platform.call('/v1/webhook-endpoints', { ...by, body: { url: 'http://127.0.0.1:9/' } });
    await tenant.request();
    await sweep();
    expect((await tenant.show()).status).toBe(200); // not yet
    await endIn(id, '-1 minute');
    await Promise.all([sweep(), sweep(), sweep()]);
    await eventually(async () => {
      expect((await platform.call('/v1/billing/balance', { key: apiKey })).status).toBe(401);
      expect((await tenant.show()).status).toBe(401);
    }, SOON_MS);
    expect((await actions(id)).filter((action) => action === 'tenant.closed')).toHaveLength(1);
    const closed = (await notices(id)).map(({ kind, detail }) => [kind, JSON.parse(detail) as object]);
    expect(closed).toEqual(
      Array(2).fill(['tenant_closed', expect.objectContaining({ credits_left: 1_000, credits_held: 0 })]),
    );
    const [left] = await database.query(
      `select (select count(*)::int from platform.member where tenant_id = $1) as members,
              (select count(*)::int from platform.member_session where tenant_id = $1) as sessions,
              (select count(*)::int from platform.api_key where tenant_id = $1 and status <> 'revoked') as keys,
              (select count(*)::int from platform.webhook_endpoint where tenant_id = $1) as endpoints,
              (select octet_length(webhook_secret) from platform.tenant where id = $1) as secret,
              (select to_jsonb(r) - 'updated_at' - 'tenant_id' from platform.tenant_retention r where tenant_id = $1) as retention`,
      [id],
    );
    expect(left).toEqual({
      ...{ members: 0, sessions: 0, keys: 0, endpoints: 0, secret: 0 },
      retention: {
        identity_image_days: 1,
        identity_session_days: 1,
        identity_legal_hold_days: null,
        compliance_blocked_days: 1_825,
        signing_unsealed_envelope_days: 1,
      },
    });
    expect((await ops.get(`/tenants/${tenant.slug}`)).body).toMatchObject({
      ...{ standing: 'closed', available: 1_000 },
      closing: { credits_left: 1_000, credits_held: 0, closed_at: expect.any(String) as string },
    });
    expect((await ops.post(`/tenants/${tenant.slug}/suspend`, { reason: 'late' })).status).toBe(409);
  });

  it('nobody gets in by recovery, and the same address signs up again as another tenant', async () => {
    const tenant = await ownedTenant();
    await tenant.request();
    await endIn(tenant.id, '-1 minute');
    await sweep();
    const owner_email = `owner@${tenant.slug}.example`;
    const recovery = await platform.call(`/tenants/${tenant.id}/api-key-recovery`, { body: { owner_email } });
    expect(recovery.status).toBe(202);
    expect(await database.query('select 1 from platform.recovery_request where tenant_id = $1', [tenant.id])).toEqual(
      [],
    );
    const again = { plan: 'sandbox', slug: `${tenant.slug}-2`, display_name: 'Otra vez', owner_email };
    const { status, body } = await platform.call<{ tenant_id: string }>('/signup', { body: again });
    expect(status).toBe(201);
    expect(body.tenant_id).not.toBe(tenant.id);
  });

  it('against a reconsideration at the same moment, one of them wins', async () => {
    for (let round = 0; round < 4; round++) {
      const tenant = await ownedTenant();
      await tenant.request();
      await endIn(tenant.id, '-1 minute');
      const [{ status }] = await Promise.all([tenant.reconsider(), sweep()]);
      await sweep();
      const done = await actions(tenant.id);
      const isClosed = done.includes('tenant.closed');
      expect(done).toEqual(['tenant.closing_requested', isClosed ? 'tenant.closed' : 'tenant.closing_reconsidered']);
      if (status === 204) expect(isClosed).toBe(false);
      else expect([isClosed, [401, 404].includes(status)]).toEqual([true, true]);
    }
  });

  it('waits while operators have the tenant suspended, and then gives owners seven days', async () => {
    const tenant = await ownedTenant();
    await tenant.request();
    expect((await ops.post(`/tenants/${tenant.slug}/suspend`, { reason: 'ticket 1' })).body).toMatchObject({
      standing: 'suspended',
    });
    await endIn(tenant.id, '-1 minute');
    await sweep();
    expect(await actions(tenant.id)).not.toContain('tenant.closed');
    const resumed = await ops.post<{ standing: string; closing: { closes_at: string } }>(
      `/tenants/${tenant.slug}/resume`,
      { reason: 'resolved' },
    );
    expect(resumed.body.standing).toBe('closing');
    expect(Date.parse(resumed.body.closing.closes_at)).toBeGreaterThan(Date.now() + 6.9 * DAY_MS);
    await eventually(async () => expect((await tenant.reconsider()).status).toBe(204), SOON_MS);
  });
});
