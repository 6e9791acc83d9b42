import type { EventModule } from '@constancia/contracts';
import { endpointIdOf, eventRecord, type EventRecord } from '@constancia/events';
import type { Mail } from '@constancia/mail';
import { createLogger, type RunningWorker } from '@constancia/telemetry';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, type TestDatabase } from '@constancia/testing';
import { startDispatcher } from '../../apps/webhook-dispatcher/src/app.ts';
import { DispatcherConfig } from '../../apps/webhook-dispatcher/src/config.ts';

export function testConfig(store: TestDatabase): DispatcherConfig {
  return Object.assign(new DispatcherConfig(), {
    environment: 'sandbox',
    drainSeconds: 25,
    databaseUrl: store.app('platform'),
    databasePoolSize: 6,
    queueDatabaseUrl: store.queueUrl,
    secretsKey: TEST_SECRETS_KEY,
    queueSealingKey: TEST_QUEUE_SEALING_KEY,
    webhookAllowLoopback: true,
    webhookPorts: ['443'],
    retentionDays: 30,
    replayRate: 100,
  } satisfies Partial<DispatcherConfig>);
}

/** A dispatcher in this process on a test's database: every retry waits its whole step, mails to owners end up in `mails`. */
export async function runningDispatcher(
  store: TestDatabase,
  options: { timeoutMs?: number; mails?: Mail[] } = {},
): Promise<RunningWorker> {
  const mailer = { send: async (mail: Mail) => void options.mails?.push(mail) };
  const logger = createLogger({ app: 'webhook-dispatcher', level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  return startDispatcher(testConfig(store), logger, { mailer, timeoutMs: options.timeoutMs, random: () => 0.5 });
}

/** Registers the endpoint of a module straight in the store. */
export async function registerEndpoint(
  store: TestDatabase,
  tenantId: string,
  url: string,
  module: EventModule = 'seal',
): Promise<string> {
  const id = endpointIdOf(tenantId, module);
  await store.query(
    `insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, $3, $4)
     on conflict (id) do update set url = excluded.url`,
    [id, tenantId, module, url],
  );
  return id;
}

/** Emits events of a module; answers their records. */
export async function emitMany(
  store: TestDatabase,
  tenantId: string,
  count: number,
  module: EventModule = 'seal',
): Promise<EventRecord[]> {
  const type = { seal: 'seal.signature.completed', identity: 'subject.verified', compliance: 'case.opened' }[module];
  const records = Array.from({ length: count }, (_, nth) =>
    eventRecord({ tenantId, module, type, payload: { nth, text: 'ñandú 😀' } }),
  );
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
  return records;
}

export interface StoredDelivery {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
  schedule_step: number;
  next_attempt_at: Date | null;
  last_error: string | null;
  last_http_status: number | null;
  last_attempt_at: Date | null;
}

/** The deliveries of an event, as stored. */
export function deliveriesOf(store: TestDatabase, eventId: string): Promise<StoredDelivery[]> {
  return store.query<StoredDelivery>('select * from platform.delivery where event_id = $1 order by id', [eventId]);
}
