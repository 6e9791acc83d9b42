import { createHmac } from 'node:crypto';
import type { EventRecord } from '@constancia/events';
import type { Mail } from '@constancia/mail';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  deliveriesOf,
  emitMany,
  registerEndpoint,
  runningDispatcher,
  type StoredDelivery,
} from './running-dispatcher.fixture.ts';

let store: TestDatabase;
let dispatcher: INestApplicationContext;
const mails: Mail[] = [];
const receivers: WebhookSink[] = [];

beforeAll(async () => {
  store = await testDatabase();
  dispatcher = await runningDispatcher(store, { timeoutMs: 1_500, mails });
});
afterEach(async () => {
  for (const open of receivers.splice(0)) await open.close();
});
afterAll(async () => {
  await dispatcher?.close();
  await store?.drop();
});

async function tenantWithReceiver() {
  const tenant = await testTenant(store);
  const sink = await webhookSink();
  receivers.push(sink);
  const endpointId = await registerEndpoint(store, tenant.id, `${sink.url}/hooks`);
  return { tenant, sink, endpointId };
}

async function emitOne(tenantId: string) {
  const [record] = await emitMany(store, tenantId, 1);
  return record as NonNullable<typeof record>;
}

const deliveryOf = async (eventId: string) => (await deliveriesOf(store, eventId))[0] as StoredDelivery;

function untilAttempts(eventId: string, attempts: number): Promise<StoredDelivery> {
  return eventually(async () => {
    const delivery = await deliveryOf(eventId);
    expect(delivery.attempts).toBe(attempts);
    return delivery;
  });
}

const makeDue = (eventId: string) =>
  store.query('update platform.delivery set next_attempt_at = now() where event_id = $1', [eventId]);
const endpointRow = async (id: string) =>
  (await store.query('select * from platform.webhook_endpoint where id = $1', [id]))[0] as Record<string, unknown>;
const attemptsOf = (deliveryId: string) =>
  store.query<Record<string, unknown>>('select * from platform.delivery_attempt where delivery_id = $1 order by id', [
    deliveryId,
  ]);

describe('a delivery', () => {
  it('arrives within half a second, with the stored body and both kinds of signature', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    await untilAttempts((await emitOne(tenant.id)).event_id, 1); // everything is connected and compiled now
    // Other tests use the processor too: the fastest of some deliveries counts.
    const times: number[] = [];
    let record = await emitOne(tenant.id);
    for (;;) {
      const began = performance.now();
      await eventually(() => expect(sink.received).toHaveLength(times.length + 2), 10_000, 10);
      times.push(performance.now() - began);
      if (times.length === 5 || Math.min(...times) < 500) break;
      record = await emitOne(tenant.id);
    }
    expect(Math.min(...times)).toBeLessThan(500);
    const { headers, body, path } = sink.received.at(-1) as WebhookSink['received'][0];
    expect(path).toBe('/hooks');
    expect(body).toBe(record.body);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Constancia-Webhooks/1',
      'webhook-id': record.event_id,
      'x-service-signature': `sha256=${createHmac('sha256', tenant.webhookSecret).update(body).digest('hex')}`,
    });
    new Webhook(tenant.webhookSecret).verify(body, headers as Record<string, string>);
    const delivery = await untilAttempts(record.event_id, 1);
    expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null, last_http_status: 204 });
  });

  it('is sent again after a failure, later by the schedule, with the same bytes and a fresh signature', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response) => response.writeHead(sink.received.length < 3 ? 500 : 200).end('broken\u0000'));
    const record = await emitOne(tenant.id);
    const first = await untilAttempts(record.event_id, 1);
    expect(first).toMatchObject({ status: 'pending', last_error: 'http_status', last_http_status: 500 });
    const waitMs = Number(first.next_attempt_at) - Number(first.last_attempt_at);
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThan(5_500);
    await makeDue(record.event_id);
    await untilAttempts(record.event_id, 2);
    await makeDue(record.event_id);
    const last = await untilAttempts(record.event_id, 3);
    expect(last.status).toBe('delivered');
    expect(new Set(sink.received.map((request) => request.body)).size).toBe(1);
    expect(new Set(sink.received.map((request) => request.headers['webhook-id']))).toEqual(new Set([record.event_id]));
    const attempts = await attemptsOf(last.id);
    expect(attempts.map((attempt) => [attempt.number, attempt.http_status, attempt.response_excerpt])).toEqual([
      [1, 500, 'broken?'],
      [2, 500, 'broken?'],
      [3, 200, 'broken?'],
    ]);
  });

  it('fails once its twelve attempts are used up', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response) => response.writeHead(500).end());
    const record = await emitOne(tenant.id);
    await untilAttempts(record.event_id, 1);
    await store.query(
      'update platform.delivery set schedule_step = 11, attempts = 11, next_attempt_at = now() where event_id = $1',
      [record.event_id],
    );
    expect(await untilAttempts(record.event_id, 12)).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('is no redirect: the answer is kept and its Location never asked', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response, request) =>
      request.path === '/hooks' ? response.writeHead(302, { location: '/elsewhere' }).end() : response.end(),
    );
    const record = await emitOne(tenant.id);
    expect(await untilAttempts(record.event_id, 1)).toMatchObject({
      status: 'pending',
      last_error: 'redirect_refused',
      last_http_status: 302,
    });
    expect(sink.received.map((request) => request.path)).toEqual(['/hooks']);
  });

  it('gives up on a receiver that does not answer in time', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave(() => undefined);
    const record = await emitOne(tenant.id);
    const delivery = await untilAttempts(record.event_id, 1);
    expect(delivery).toMatchObject({ status: 'pending', last_error: 'timeout', last_http_status: null });
  });

  it('is delivered by a 2xx whose body drips on for ever, and keeps at most 16 KiB of an endless one', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response) => {
      response.writeHead(200);
      response.write(sink.received.length === 1 ? 'drip' : 'x'.repeat(1_000_000));
    });
    const dripping = await emitOne(tenant.id);
    const drip = await untilAttempts(dripping.event_id, 1);
    expect(drip.status).toBe('delivered');
    const endless = await emitOne(tenant.id);
    const flood = await untilAttempts(endless.event_id, 1);
    expect(flood.status).toBe('delivered');
    const [attempt] = await attemptsOf(flood.id);
    expect(String(attempt?.response_excerpt)).toHaveLength(16 * 1_024);
  });

  it('goes to nobody when nothing listens, and says so', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    await sink.close();
    const record = await emitOne(tenant.id);
    expect((await untilAttempts(record.event_id, 1)).last_error).toBe('connection_refused');
  });

  it('carries the signatures of both secrets during a grace, and of the current one alone after it', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    const grace = (until: string) =>
      store.query(
        `update platform.tenant set previous_webhook_secret = webhook_secret,
           previous_webhook_secret_expires_at = now() + $2::interval where id = $1`,
        [tenant.id, until],
      );
    await grace('1 hour');
    await emitOne(tenant.id);
    await eventually(() => expect(sink.received).toHaveLength(1));
    expect(sink.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(sink.received[0]?.headers).toHaveProperty('x-service-signature-previous');
    await grace('-1 second');
    await emitOne(tenant.id);
    await eventually(() => expect(sink.received).toHaveLength(2));
    expect(sink.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(sink.received[1]?.headers).not.toHaveProperty('x-service-signature-previous');
  });
});

describe('an endpoint', () => {
  it('that answers Retry-After gets nothing before that time', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver();
    sink.behave((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    const first = await untilAttempts((await emitOne(tenant.id)).event_id, 1);
    expect(Number(first.next_attempt_at) - Date.now()).toBeGreaterThan(115_000);
    await eventually(async () => {
      const pause = Number((await endpointRow(endpointId)).paused_until) - Date.now();
      expect(pause).toBeGreaterThan(115_000);
      expect(pause).toBeLessThan(121_000);
    });
    const second = await emitOne(tenant.id);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(await deliveryOf(second.event_id)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(sink.received).toHaveLength(1);
    await store.query('update platform.webhook_endpoint set paused_until = now() where id = $1', [endpointId]);
    sink.behave((response) => response.writeHead(200).end());
    expect((await untilAttempts(second.event_id, 1)).status).toBe('delivered');
  });

  it('that answers 410 is disabled: what comes later waits, its owner and the other endpoints are notified once', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver();
    const other = await webhookSink();
    receivers.push(other);
    await registerEndpoint(store, tenant.id, other.url, 'identity');
    sink.behave((response) => response.writeHead(410).end());
    const pause = (until: string) =>
      store.query('update platform.webhook_endpoint set paused_until = now() + $2::interval where id = $1', [endpointId, until]); // prettier-ignore
    await pause('1 h'); // until the one that is not due yet is written
    const waiting = await emitOne(tenant.id);
    await store.query("update platform.delivery set next_attempt_at = now() + interval '1 h' where event_id = $1", [
      waiting.event_id,
    ]);
    await pause('0 s');
    const record = await emitOne(tenant.id);
    expect(await untilAttempts(record.event_id, 1)).toMatchObject({ status: 'failed', last_error: 'gone' });
    await eventually(async () => {
      const row = await endpointRow(endpointId);
      expect(row).toMatchObject({ enabled: false, disabled_reason: 'gone', notice_due_at: null });
    });
    expect((await deliveryOf(waiting.event_id)).status).toBe('pending');
    const [later] = (await emitMany(store, tenant.id, 1)) as [EventRecord];
    expect(await deliveriesOf(store, later.event_id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await eventually(() => expect(other.received).toHaveLength(1));
    const event = JSON.parse(String(other.received[0]?.body)) as { event_type: string; payload: object };
    expect(event).toMatchObject({
      event_type: 'webhook.endpoint.disabled',
      module: 'seal',
      payload: { module: 'seal', url: `${sink.url}/hooks`, reason: 'gone' },
    });
    const notices = mails.filter((mail) => mail.to === `owner@${tenant.slug}.example`);
    expect(notices.map((mail) => mail.text.includes(sink.url))).toEqual([true]);
  });

  it('with five days of nothing but failures is disabled, and one with a success between them is not', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver();
    sink.behave((response) => response.writeHead(500).end());
    const fiveDaysAgo = () =>
      store.query(
        `update platform.webhook_endpoint set first_failure_at = now() - interval '5 days 1 minute',
           last_failure_at = now() - interval '1 day', consecutive_failures = 4 where id = $1`,
        [endpointId],
      );
    await fiveDaysAgo();
    sink.behave((response) => response.writeHead(200).end());
    await untilAttempts((await emitOne(tenant.id)).event_id, 1);
    await eventually(async () =>
      expect(await endpointRow(endpointId)).toMatchObject({ enabled: true, first_failure_at: null }),
    );
    await fiveDaysAgo();
    sink.behave((response) => response.writeHead(500).end());
    await untilAttempts((await emitOne(tenant.id)).event_id, 1);
    await eventually(async () =>
      expect(await endpointRow(endpointId)).toMatchObject({ enabled: false, disabled_reason: 'failing' }),
    );
  });

  it('that fails gets one delivery at a time until it answers again, then all that wait', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver();
    let atOnce = 0;
    let most = 0;
    let healthy = false;
    sink.behave((response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => {
        atOnce -= 1;
        response.writeHead(healthy ? 200 : 503).end();
      }, 30);
    });
    await store.query(
      'update platform.webhook_endpoint set consecutive_failures = 5, first_failure_at = now() where id = $1',
      [endpointId],
    );
    await emitMany(store, tenant.id, 40);
    await eventually(() => expect(sink.received.length).toBeGreaterThan(5));
    expect(most).toBe(1);
    healthy = true;
    await store.query(
      `update platform.delivery set next_attempt_at = now()
        where endpoint_id = $1 and attempts = 1 and next_attempt_at is not null`,
      [endpointId],
    );
    await eventually(async () => {
      const open = await store.query(
        'select 1 from platform.delivery where endpoint_id = $1 and next_attempt_at is not null',
        [endpointId],
      );
      expect(open).toHaveLength(0);
    });
    expect(most).toBeGreaterThan(1);
    expect(await endpointRow(endpointId)).toMatchObject({ consecutive_failures: 0, probe_until: null });
  });
});
