import { generateApiKey } from '@constancia/auth';
import { eventRecord } from '@constancia/events';
import { uuidOf } from '@constancia/kernel';
import { checkedFetch, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArchive } from '../../../../libs/tenant-export/src/read-archive.fixture.ts';
import {
  FlowCaller,
  type RunningIdentity,
  runningIdentity,
  type Session,
} from '../identity/running-identity.fixture.ts';
import { someIp } from '../running-platform.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

const exported = (key: string) =>
  checkedFetch({ platform: platform.url })(`${platform.url}/v1/export`, {
    headers: { 'x-api-key': key, 'x-forwarded-for': someIp() },
  });

const archiveOf = async (key: string) => readArchive(Buffer.from(await (await exported(key)).arrayBuffer()));

const topup = (tenantId: string) =>
  store.query(
    `insert into platform.topup (id, tenant_id, provider, preference_id, init_point, amount_cop, amount_credits, bonus_credits, bonus_percent,
       usd_micros, trm, trm_valid_for, trm_source, expires_at)
     values (gen_random_uuid(), $1, 'simulator', 'pref-1', 'https://pay.example/1', 100000, 2425, 0, 0, 10000, 4123.45, now(), 'embedded', now())`,
    [tenantId],
  );

/** A session that two members approve: the second agrees with the first. */
async function review(caller: FlowCaller, { id }: Session): Promise<void> {
  await store.query(`update identity.flow_session set status = 'manual_review', current_step = null where id = $1`, [
    uuidOf('fls', id),
  ]);
  const approve = async (reason: string) => {
    const { token } = await testMember(store, caller.tenant.id, 'owner');
    return platform.call(`/v1/flows/sessions/${id}/review`, { member: token, body: { decision: 'approve', reason } });
  };
  const answers = await Promise.all([approve('the same person'), approve('compared with the original')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
}

it('holds what the lists of both modules show, and no secrets, nothing erased, nothing of another tenant', async () => {
  const caller = new FlowCaller(platform, await testTenant(store), store);
  const stranger = new FlowCaller(platform, await testTenant(store), store);
  const { apiKey: key, id: tenantId, webhookSecret } = caller.tenant;
  const get = async <Body = { data: object[] }>(path: string) => (await platform.call<Body>(path, { key })).body;
  for (const one of [caller, stranger]) await one.seed();
  const endpoint = await platform.call<{ secret: string }>('/v1/webhook-endpoints', {
    key,
    body: { url: 'http://127.0.0.1:9/hooks', modules: ['identity'] },
  });
  expect(endpoint.status).toBe(201);
  await topup(tenantId);
  const session = await caller.open({ external_ref: 'customer-1' });
  await caller.advance(session, { accepted: true });
  await review(caller, session);
  const erased = await caller.open({ external_ref: 'customer-2', document_number: '1032456798' });
  await platform.call(`/v1/kyc/subjects/${erased.subject_id}`, { method: 'DELETE', key });
  await stranger.open({ external_ref: 'stranger-canary' });

  const archive = await archiveOf(key);
  expect(archive.manifest.snapshots.map(({ module }) => module)).toEqual(['platform', 'identity']);
  const lists = {
    'platform/api-keys': '/v1/api-keys',
    'platform/members': '/v1/members',
    'platform/webhook-endpoints': '/v1/webhook-endpoints',
    'platform/events': '/v1/events',
    'platform/webhook-deliveries': '/webhook-deliveries',
    'platform/ledger': '/v1/billing/ledger',
    'platform/topups': '/v1/billing/topups',
    'identity/flows': '/v1/flows',
    'identity/subjects': '/v1/kyc/subjects',
  };
  const untimed = (lines: object[]) =>
    lines.map((line) => ({ ...line, last_used: undefined, last_used_at: undefined }));
  for (const [name, path] of Object.entries(lists)) {
    expect(archive.lines(name).length, name).toBeGreaterThan(0);
    expect(untimed(archive.lines(name)), name).toEqual(untimed((await get(`${path}?limit=100`)).data));
  }
  expect(archive.lines('platform/tenant')).toEqual([await get(`/tenants/${tenantId}`)]);
  expect(archive.lines('platform/retention')).toEqual([await get(`/tenants/${tenantId}/retention`)]);
  expect(archive.lines('platform/audit-log').map(({ action }) => action)).toEqual(
    expect.arrayContaining(['tenant_export.started', 'webhook_endpoint.created', 'erasure.created']),
  );
  const sessions = archive.lines('identity/sessions');
  expect(sessions).toHaveLength(2);
  expect(sessions).toContainEqual(await get(`/v1/flows/sessions/${session.id}`));
  const trail = await get<{ data: object[]; reviews: object[] }>(`/v1/flows/sessions/${session.id}/audit?limit=100`);
  expect(archive.lines('identity/session-trails').filter(({ session_id }) => session_id === session.id)).toEqual(
    trail.data.map((event) => ({ session_id: session.id, ...event })),
  );
  expect(trail.reviews).toHaveLength(2);
  expect(archive.lines('identity/session-reviews')).toEqual(
    trail.reviews.map((review) => ({ session_id: session.id, ...review })),
  );
  expect(archive.lines('identity/erasures')).toMatchObject([{ subject_id: erased.subject_id }]);

  const text = [...archive.files.values()].map(String).join('\n');
  const secrets = [key, webhookSecret, endpoint.body.secret, session.session_token, 'wrapped_key', 'key_hash'];
  for (const absent of [...secrets, '1098765432', '1032456798', 'stranger-canary', stranger.tenant.slug]) {
    expect(text).not.toContain(absent);
  }
});

it('holds each row of a list of several pages once', async () => {
  const { id: tenantId, apiKey: key } = await testTenant(store);
  const body = { url: 'http://127.0.0.1:9/hooks', modules: ['seal'] };
  expect((await platform.call('/v1/webhook-endpoints', { key, body })).status).toBe(201);
  const facts = { tenantId, module: 'seal', type: 'seal.signature.completed' } as const;
  const records = Array.from({ length: 450 }, (_, nth) => eventRecord({ ...facts, payload: { nth } }));
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
  const { lines } = await archiveOf(key);
  const emitted = records.map(({ event_id }) => event_id).sort();
  for (const name of ['platform/events', 'platform/webhook-deliveries']) {
    const ids = lines<{ event_id: string }>(name).map(({ event_id }) => event_id);
    expect(ids.sort(), name).toEqual(emitted);
  }
});

it('names every scope that a key lacks', async () => {
  const { id } = await testTenant(store);
  const key = generateApiKey('sandbox');
  await store.query(
    `insert into platform.api_key (id, tenant_id, key_hash, prefix, status, name, scopes)
     values (gen_random_uuid(), $1, $2, $3, 'active', 'poor', '{identity:read,billing:read}')`,
    [id, key.hash, key.prefix],
  );
  const refused = await exported(key.plaintext);
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    403,
    'This operation needs the scope webhooks:read and audit:read, which this API key does not have.',
  ]);
});
