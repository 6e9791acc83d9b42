import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { ConfigModule } from '@constancia/config';
import type { EventModule } from '@constancia/contracts';
import { dnsResolve, endpointIdOf, eventRecord, type EventRecord } from '@constancia/events';
import { type Mail, Mailer } from '@constancia/mail';
import { createLogger, Logger } from '@constancia/telemetry';
import { bundled, TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, type TestDatabase } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DispatcherConfig } from './config.ts';
import { Poster } from './deliveries/post.ts';
import { RetryJitter } from './deliveries/retry-jitter.ts';
import { WebhookDispatcherModule } from './webhook-dispatcher.module.ts';

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
    consoleUrl: 'http://console.example',
    retentionDays: 30,
    replayRate: 100,
  } satisfies Partial<DispatcherConfig>);
}

/** A dispatcher in this process on a test's database: every retry waits its whole step, mails to owners end up in `mails`. */
export async function runningDispatcher(
  store: TestDatabase,
  options: { timeoutMs?: number; mails?: Mail[] } = {},
): Promise<INestApplicationContext> {
  const mailer = { send: async (mail: Mail) => void options.mails?.push(mail), close: async () => undefined };
  const logger = createLogger({ app: 'webhook-dispatcher', level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const poster = new Poster({ allowLoopback: true, ports: [443] }, dnsResolve(), options.timeoutMs);
  const building = Test.createTestingModule({
    imports: [ConfigModule.forRoot(testConfig(store)), WebhookDispatcherModule],
  });
  building.overrideProvider(Logger).useValue(logger);
  building.overrideProvider(Mailer).useValue(mailer);
  building.overrideProvider(Poster).useValue(poster);
  building.overrideProvider(RetryJitter).useValue({ next: () => 0.5 });
  return (await building.compile()).init();
}

/** A dispatcher as a process of its own, for the tests that kill it. Resolves when it has started. */
export async function dispatcherProcess(store: TestDatabase): Promise<ChildProcess> {
  const program = await bundled(path.join(import.meta.dirname, 'main.ts'));
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      SERVICE_ENVIRONMENT: 'sandbox',
      DATABASE_URL: store.app('platform'),
      QUEUE_DATABASE_URL: store.queueUrl,
      QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
      SECRETS_KEY: TEST_SECRETS_KEY,
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (lines: Buffer) => lines.includes('webhook-dispatcher started') && resolve());
    child.once('exit', (code) => reject(new Error(`the dispatcher ended with ${code}`)));
  });
  return child;
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
  const types = { seal: 'seal.signature.completed', identity: 'subject.verified', compliance: 'case.opened' };
  const type = { ...types, billing: 'credits.balance.credited' }[module];
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
