import { endpointIdOf, eventRecord } from '@constancia/events';
import { SecretBox, typeId, uuidOf } from '@constancia/kernel';
import { TEST_SECRETS_KEY, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';

interface EndpointBody extends Record<string, unknown> {
  id: string;
  secret: string;
}

let store: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const URL = 'https://hooks.example.com/in';
const call = <Body = EndpointBody>(path: string, method = 'GET', body?: unknown, as = tenant) =>
  platform.call<Body>(`/v1/webhook-endpoints${path}`, { method, body, key: as.apiKey });
const create = (body: object = { modules: ['seal'] }) => call('', 'POST', { url: URL, ...body });

async function emit(type = 'seal.signature.completed', module: 'seal' | 'identity' = 'seal', as = tenant) {
  const record = eventRecord({ tenantId: as.id, module, type, payload: { external_ref: 'é-1' } });
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify([record])]);
  return record.event_id;
}
const receivedBy = async (eventId: string) =>
  (
    await store.query<{ endpoint_id: string }>('select endpoint_id from platform.delivery where event_id = $1', [
      eventId,
    ])
  )
    .map(({ endpoint_id }) => typeId('whe', endpoint_id))
    .sort();

describe('POST /v1/webhook-endpoints', () => {
  it('creates endpoints beside the one of a module; each gets what it subscribes to, signed with its own secret', async () => {
    await platform.call(`/tenants/${tenant.id}/webhook-endpoints/seal`, { method: 'PUT', key: tenant.apiKey, body: { url: URL } }); // prettier-ignore
    const all = await create({ modules: ['seal', 'identity'], description: 'all' });
    expect(all.status).toBe(201);
    expect(all.body).toMatchObject({
      modules: ['seal', 'identity'],
      event_types: [],
      secret_of: 'endpoint',
      enabled: true,
    });
    const one = await create({ event_types: ['subject.verified'] });
    expect(one.body).toMatchObject({ modules: ['identity'], event_types: ['subject.verified'] });
    const first = typeId('whe', endpointIdOf(tenant.id, 'seal'));
    expect(await receivedBy(await emit())).toEqual([all.body.id, first].sort());
    expect(await receivedBy(await emit('subject.verified', 'identity'))).toEqual([all.body.id, one.body.id].sort());
    expect(await receivedBy(await emit('subject.rejected', 'identity'))).toEqual([all.body.id]);

    const claimed = await store.query<{ webhook_secret: Buffer }>(
      'select webhook_secret from platform.claim_deliveries($1, $2, 20)',
      [[uuidOf('whe', one.body.id)], [10]],
    );
    const box = SecretBox.fromText(TEST_SECRETS_KEY);
    const opened = claimed.map(({ webhook_secret }) =>
      box.open(webhook_secret, `webhook_secret:${tenant.id}`).toString(),
    );
    expect(opened).toEqual([one.body.secret]);
    expect(one.body.secret).not.toBe(tenant.webhookSecret);
    const module = await platform.call<{ data: unknown[] }>(`/tenants/${tenant.id}/webhook-endpoints`, { key: tenant.apiKey }); // prettier-ignore
    expect(module.body.data).toHaveLength(1);
  });

  it('refuses what makes no sense, all at once', async () => {
    const pointers = async (body: object) =>
      ((await create(body)).body.errors as { pointer: string }[]).map(({ pointer }) => pointer).sort();
    expect(await pointers({})).toEqual(['/modules']);
    expect(await pointers({ url: 'ftp://x/', modules: ['seal'], event_types: ['subject.verified'] })).toEqual(['/event_types/0', '/url']); // prettier-ignore
    expect(await pointers({ event_types: ['nonsense'] })).toEqual(['/event_types/0']);
  });

  it('ends at twenty, however many come at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 23 }, async () => (await create()).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
  });
});

describe('an endpoint', () => {
  it('is shown, changed, listed and deleted by its id, and is nobody else’s', async () => {
    const { id } = (await create()).body;
    const changed = await call(`/${id}`, 'PATCH', {
      event_types: ['case.opened'],
      description: 'cases',
      enabled: false,
    });
    expect(changed.body).toMatchObject({
      modules: ['compliance'],
      event_types: ['case.opened'],
      enabled: false,
      url: URL,
    });
    expect((await call(`/${id}`)).body).toEqual(changed.body);
    const pages = [];
    await create();
    for (let cursor = ''; ;) {
      const { body } = await call<{ data: EndpointBody[]; next_cursor: string | null }>(`?order=asc&limit=1${cursor}`);
      pages.push(...body.data.map((endpoint) => endpoint.id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(pages).toHaveLength(2);
    const stranger = await testTenant(store);
    for (const [method, path] of [['GET', ''], ['PATCH', ''], ['DELETE', ''], ['POST', '/test'], ['POST', '/rotate-secret']] as const) // prettier-ignore
      expect((await call(`/${id}${path}`, method, method === 'GET' || method === 'DELETE' ? undefined : {}, stranger)).status).toBe(404); // prettier-ignore
    expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
    expect((await call(`/${id}`)).status).toBe(404);
  });

  it('keeps what is emitted while it is disabled: shown as waiting, and failed when it is deleted', async () => {
    const { id } = (await create({ modules: ['seal'], enabled: false })).body;
    const eventId = await emit();
    const deliveries = async () =>
      (await platform.call<{ data: object[] }>(`/webhook-deliveries?endpoint_id=${id}`, { key: tenant.apiKey })).body
        .data;
    expect(await deliveries()).toMatchObject([
      { event_id: eventId, status: 'pending', waiting_for: 'endpoint', next_attempt_at: null },
    ]);
    await call(`/${id}`, 'PATCH', { enabled: true });
    expect(await deliveries()).toMatchObject([{ status: 'pending', waiting_for: null }]);
    await call(`/${id}`, 'PATCH', { enabled: false });
    await call(`/${id}`, 'DELETE');
    expect(await deliveries()).toMatchObject([{ status: 'failed', last_error: 'endpoint_deleted', waiting_for: null }]);
  });

  it('tries at once what would be tried again later, with another address and when it is enabled', async () => {
    const { id } = (await create({ modules: ['seal'] })).body;
    await emit();
    const later = `update platform.delivery set next_attempt_at = now() + interval '1 hour', attempts = 3 where endpoint_id = $1`;
    const waits = async (): Promise<boolean | undefined> => {
      const sql = 'select next_attempt_at > now() as waits from platform.delivery where endpoint_id = $1';
      return (await store.query<{ waits: boolean }>(sql, [uuidOf('whe', id)]))[0]?.waits;
    };
    for (const [change, expected] of [
      [{ description: 'Orders' }, true],
      [{ url: 'https://other.example.com/events' }, false],
      [{ enabled: true }, false],
    ] as const) {
      await store.query(later, [uuidOf('whe', id)]);
      await call(`/${id}`, 'PATCH', change);
      expect(await waits()).toBe(expected);
    }
  });

  it('forgets failures of the former address, and its pause, with another one alone', async () => {
    const { id } = (await create({ modules: ['seal'] })).body;
    const failed = `update platform.webhook_endpoint
        set consecutive_failures = 9, first_failure_at = now(), paused_until = now() + interval '5 minutes' where id = $1`;
    await store.query(failed, [uuidOf('whe', id)]);
    const changed = async (body: object) => (await call(`/${id}`, 'PATCH', body)).body;
    expect(await changed({ description: 'Orders' })).toMatchObject({ consecutive_failures: 9 });
    const afresh = await changed({ url: 'https://other.example.com/events' });
    expect(afresh).toMatchObject({ consecutive_failures: 0, failing_since: null, paused_until: null });
  });

  it('forgets why the former address was disabled with another one alone, and stays disabled until it is enabled', async () => {
    const { id } = (await create({ modules: ['seal'] })).body;
    const disabled = `update platform.webhook_endpoint
        set enabled = false, disabled_reason = 'gone', disabled_at = now(), notice_due_at = now() where id = $1`;
    await store.query(disabled, [uuidOf('whe', id)]);
    const changed = async (body: object) => (await call(`/${id}`, 'PATCH', body)).body;
    expect(await changed({ url: URL, description: 'Orders' })).toMatchObject({ disabled_reason: 'gone' });
    const elsewhere = await changed({ url: 'https://other.example.com/events' });
    expect(elsewhere).toMatchObject({ enabled: false, disabled_reason: null, disabled_at: null });
    const [notice] = await store.query('select notice_due_at from platform.webhook_endpoint where id = $1', [
      uuidOf('whe', id),
    ]);
    expect(notice).toEqual({ notice_due_at: null });
    expect(await changed({ enabled: true })).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('rotates its secret with a grace in which both sign; the endpoint of a module has the tenant’s', async () => {
    const made = (await create()).body;
    const rotated = await call(`/${made.id}/rotate-secret`, 'POST', { grace_seconds: 600 });
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(made.secret);
    await emit();
    const [row] = await store.query<{ webhook_secret: Buffer; previous_webhook_secret: Buffer }>(
      'select webhook_secret, previous_webhook_secret from platform.claim_deliveries($1, $2, 20)',
      [[uuidOf('whe', made.id)], [1]],
    );
    const open = (sealed?: Buffer) =>
      sealed && SecretBox.fromText(TEST_SECRETS_KEY).open(sealed, `webhook_secret:${tenant.id}`).toString();
    expect([open(row?.webhook_secret), open(row?.previous_webhook_secret)]).toEqual([rotated.body.secret, made.secret]);
    await platform.call(`/tenants/${tenant.id}/webhook-endpoints/seal`, { method: 'PUT', key: tenant.apiKey, body: { url: URL } }); // prettier-ignore
    const first = typeId('whe', endpointIdOf(tenant.id, 'seal'));
    expect((await call(`/${first}/rotate-secret`, 'POST', {})).status).toBe(409);
    expect((await call(`/${first}`, 'PATCH', { modules: ['identity'] })).status).toBe(400);
    expect((await call(`/${first}`, 'PATCH', { description: 'first' })).body).toMatchObject({ secret_of: 'tenant', description: 'first' }); // prettier-ignore
  });

  it('is tested with any event type of its modules: an example, to it alone', async () => {
    const [one, other] = [(await create()).body, (await create()).body];
    const tested = await call(`/${one.id}/test`, 'POST', { event_type: 'seal.envelope.completed' });
    expect(tested.status).toBe(202);
    expect(tested.body).toMatchObject({
      endpoint_id: one.id,
      event_type: 'seal.envelope.completed',
      status: 'pending',
    });
    expect(await receivedBy(String(tested.body.event_id))).toEqual([one.id]);
    const event = await platform.call(`/v1/events/${String(tested.body.event_id)}`, { key: tenant.apiKey });
    expect(event.body).toMatchObject({ test: true, payload: { document_sha256: expect.any(String) as string } });
    const [stored] = await store.query<{ body: string }>('select body from platform.event where event_id = $1', [tested.body.event_id]); // prettier-ignore
    expect(JSON.parse(stored?.body ?? '')).toMatchObject({ test: true, event_type: 'seal.envelope.completed' });
    expect((await call(`/${one.id}/test`, 'POST', { event_type: 'subject.verified' })).status).toBe(400);
    const missing = await platform.call('/webhook-deliveries/replays', { method: 'POST', key: tenant.apiKey, body: { missing: true, endpoint_id: other.id, dry_run: true } }); // prettier-ignore
    expect(missing.body).toMatchObject({ matched: 0 });
  });
});
