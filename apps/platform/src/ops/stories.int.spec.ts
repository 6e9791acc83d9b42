import { endpointIdOf, eventRecord } from '@constancia/events';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
  WorkerHarness,
} from '../identity/running-identity.fixture.ts';

interface Trace {
  event: { about: object | null; trace_id: string | null };
  summary: string;
  ledger: object[];
  deliveries: { id: string; attempts_list: object[] }[];
  timeline: { at: string; where: string; what: string; detail: string }[];
}

let store: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
let ops: OpsPort;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { STEP_WAIT_MS: '3000' });
  worker = await WorkerHarness.start(store, platform.kms, (run) =>
    run.step_type === 'face' ? { outcome: 'reject', reason: 'not_matched' } : { outcome: 'pass' },
  );
  ops = await opsPortOf(platform.app);
});
afterAll(async () => {
  await ops?.close();
  await worker?.stop();
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const endpoint = (changes = 'true') =>
  store.query(
    `insert into platform.webhook_endpoint (id, tenant_id, module, url, enabled) values ($1, $2, 'seal', 'https://hooks.example.com/', ${changes})`,
    [endpointIdOf(tenant.id, 'seal'), tenant.id],
  );

/** A signature that was paid for and sealed; answers its event. */
async function sealed(payload: Record<string, unknown> = {}) {
  const signature = uuidv7();
  await store.query('select platform_v1.charge($1, $2, $3, $4, 40)', [tenant.id, 'signing', 'signature', signature]);
  const record = eventRecord({
    tenantId: tenant.id,
    module: 'seal',
    type: 'seal.signature.completed',
    payload: { signature_request_id: typeId('sig', signature), subject_ref: 'camila', ...payload },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify([record])]);
  return { eventId: record.event_id, signatureId: typeId('sig', signature) };
}

const trace = async (eventId: string) => (await ops.get<Trace>(`/trace/${eventId}`)).body;

describe('the trace of an event', () => {
  it('shows from the request to the last attempt, within a second, and shows no body', async () => {
    await endpoint();
    const { eventId, signatureId } = await sealed();
    const [delivery] = await store.query<{ id: string }>('select id from platform.delivery where event_id = $1', [
      eventId,
    ]);
    for (const [number, status] of [
      [1, 500],
      [2, 200],
    ]) {
      await store.query(
        `insert into platform.delivery_attempt (id, delivery_id, tenant_id, number, at, duration_ms, url, http_status, response_excerpt)
         values ($1, $2, $3, $4, now(), 42, 'https://hooks.example.com/', $5, 'ok')`,
        [uuidv7(), delivery?.id, tenant.id, number, status],
      );
    }
    await store.query(
      `update platform.delivery set status = 'delivered', next_attempt_at = null, attempts = 2, delivered_at = now() where event_id = $1`,
      [eventId],
    );
    const started = performance.now();
    const traced = await trace(eventId);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(traced).toMatchObject({
      event: {
        event_id: eventId,
        tenant_id: tenant.id,
        slug: tenant.slug,
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        about: { type: 'signature_request', id: signatureId },
      },
      ledger: [{ kind: 'debit', amount: -40 }],
      deliveries: [
        {
          id: typeId('dlv', delivery?.id),
          status: 'delivered',
          attempts_list: [{ http_status: 500 }, { http_status: 200 }],
        },
      ],
    });
    expect(traced.summary).toMatch(/was delivered at .* after 2 attempts/);
    expect(traced.timeline.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      'seal: accepted',
      'ledger: debit',
      'outbox: event',
      'webhooks: delivery',
      'receiver: attempt 1',
      'receiver: attempt 2',
    ]);
    expect(JSON.stringify(traced)).not.toContain('camila');
  });

  it.each([
    ['there is no endpoint', () => Promise.resolve(), 'the tenant has no endpoint for seal'],
    [
      'it is not subscribed',
      async () => {
        await endpoint();
        await store.query(
          "update platform.webhook_endpoint set event_types = '{seal.envelope.completed}' where tenant_id = $1",
          [tenant.id],
        );
      },
      'not subscribed to seal.signature.completed',
    ],
  ] as const)('says in words why nothing was sent: %s', async (_, arrange, words) => {
    await arrange();
    const traced = await trace((await sealed()).eventId);
    expect(traced.deliveries).toEqual([]);
    expect(traced.summary).toContain(words);
  });

  it('says where it stands: waiting, due, paused, failed', async () => {
    await endpoint('false');
    const waiting = await trace((await sealed()).eventId);
    expect(waiting.summary).toContain('waits for its endpoint, which is disabled by the tenant');
    await store.query('update platform.webhook_endpoint set enabled = true where tenant_id = $1', [tenant.id]);
    const { eventId } = await sealed();
    expect((await trace(eventId)).summary).toContain('is due since');
    await store.query(
      "update platform.webhook_endpoint set paused_until = now() + interval '5 min' where tenant_id = $1",
      [tenant.id],
    );
    expect((await trace(eventId)).summary).toContain('paused until');
    await store.query(
      `update platform.delivery set status = 'failed', next_attempt_at = null, attempts = 12, failed_at = now(), last_error = 'timeout'
        where event_id = $1`,
      [eventId],
    );
    expect((await trace(eventId)).summary).toMatch(
      /failed after 12 attempts \(last: timeout\)\. POST \/ops\/deliveries\/dlv_/,
    );
  });

  it('copes with whatever a payload holds, and is 404 for what is not there', async () => {
    const { eventId } = await sealed({ note: 'a\u0000b', other_id: 'not an id' });
    expect((await trace(eventId)).event.about).toBeNull();
    for (const id of [uuidv7(), 'x', '%00', typeId('sig')]) expect((await ops.get(`/trace/${id}`)).status).toBe(404);
  });
});

describe('the story of a flow session', () => {
  it('shows its steps, its work and its money, and nothing about the person', async () => {
    const flows = new FlowCaller(platform, tenant, store);
    await flows.seed();
    const session = await flows.open({ external_ref: 'camila-1', email: 'camila@example.com' });
    await flows.advance(session, { accepted: true });
    await flows.advance(session, await flows.documentInput(session));
    await flows.advance(session, await flows.faceInput(session));
    const { status, body } = await ops.get<Trace & { step_runs: object[] }>(`/story/${session.id}`);
    expect([status, body]).toMatchObject([
      200,
      {
        id: session.id,
        kind: 'flow_session',
        tenant_id: tenant.id,
        status: 'failed',
        step_runs: [{ step_type: 'document' }, { step_type: 'face' }],
      },
    ]);
    const steps = body.timeline.map(({ what }) => what);
    expect(steps[0]).toBe('opened');
    expect(steps).toEqual(expect.arrayContaining(['consent_given', 'started', 'finished', 'rejected']));
    expect(JSON.stringify(body)).not.toMatch(/camila|1098765432|fst_/);
    const [event] = await store.query<{ event_id: string }>(
      "select event_id from platform.event where tenant_id = $1 and event_type = 'subject.rejected'",
      [tenant.id],
    );
    const traced = await trace(event?.event_id as string);
    expect(traced.ledger).toMatchObject([
      { kind: 'hold', amount: -80 },
      { kind: 'capture', amount: 0 },
    ]);
    expect(traced.timeline.map(({ where }) => where)).toEqual(
      expect.arrayContaining(['identity', 'step-run', 'ledger', 'outbox']),
    );
    expect(uuidOf('fls', session.id)).not.toBeNull();

    const [row] = await store.query<{ subject_id: string }>('select subject_id from identity.flow_session where id = $1', [uuidOf('fls', session.id)]); // prettier-ignore
    const subject = typeId('sub', row?.subject_id);
    const ofSubject = await ops.get<Trace>(`/story/${subject}`);
    expect(ofSubject.body).toMatchObject({ kind: 'subject', sessions: [{ id: session.id, status: 'failed' }] });
    expect(JSON.stringify(ofSubject.body)).not.toMatch(/camila|1098765432|fst_/);
    const about = await ops.get<{ data: object[] }>(`/events?tenant=${tenant.slug}&about=${session.id}`);
    expect(about.body.data).toMatchObject([{ event_id: event?.event_id, event_type: 'subject.rejected' }]);
  });

  it('is 404 for what is not there', async () => {
    for (const id of [typeId('fls'), typeId('sig'), 'x']) expect((await ops.get(`/story/${id}`)).status).toBe(404);
  });
});
