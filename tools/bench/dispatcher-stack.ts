import { eventRecord, hintDeliveries } from '@constancia/events';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import type { ModuleSchema } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { createLogger, createWorkerApp } from '@constancia/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import type { DispatcherConfig } from '../../apps/webhook-dispatcher/src/config.ts';
import { WebhookDispatcherModule } from '../../apps/webhook-dispatcher/src/webhook-dispatcher.module.ts';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, testTenant } from '@constancia/testing/tenants';
import type { TestDatabase } from '@constancia/testing/test-database';
import { registerEndpoint, testConfig } from '../../apps/webhook-dispatcher/src/running-dispatcher.fixture.ts';
import { benchDatabase } from './bench-database.ts';

const NOTE = 'x'.repeat(600);
const logger = createLogger({ app: 'bench', level: 'silent' });

/** All that a dispatcher works with, and tenants that have events. */
export class DispatcherStack {
  /** As the emitting apps have one. */
  readonly queues: Queues;
  readonly secrets = SecretBox.fromText(TEST_SECRETS_KEY);
  private readonly config: DispatcherConfig;
  private readonly admin: pg.Pool;

  private constructor(readonly store: TestDatabase) {
    this.admin = new pg.Pool({ connectionString: store.adminUrl, max: 4 });
    this.admin.on('error', () => undefined);
    this.config = Object.assign(testConfig(store), { databasePoolSize: 10, logLevel: 'silent' });
    this.queues = new Queues({
      app: 'platform',
      databaseUrl: store.queueUrl,
      sealingKey: SecretBox.fromText(TEST_QUEUE_SEALING_KEY),
      logger,
    });
  }

  static async start(schemas: ModuleSchema[]): Promise<DispatcherStack> {
    return new DispatcherStack(await benchDatabase(schemas));
  }

  dispatcher(): Promise<INestApplicationContext> {
    return createWorkerApp(WebhookDispatcherModule, this.config);
  }

  /** A tenant whose receiver is at this address; answers its id. */
  async tenant(url: string): Promise<string> {
    const { id } = await testTenant(this.store, { credits: 0 });
    await registerEndpoint(this.store, id, url);
    return id;
  }

  /** Events for these tenants in turn; `state` is what their deliveries are set to in the same transaction. */
  async emit(tenants: readonly string[], count: number, state?: string): Promise<void> {
    for (let done = 0; done < count; done += 1_000) {
      const records = Array.from({ length: Math.min(1_000, count - done) }, (_, nth) =>
        signatureEvent(tenants[nth % tenants.length] as string, nth),
      );
      const client = await this.admin.connect();
      await client.query('begin');
      await client.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
      if (state) await client.query(`update platform.delivery set ${state} where created_at = now()`);
      await client.query('commit');
      client.release();
    }
  }

  hint(tenants: readonly string[]): void {
    hintDeliveries(
      this.queues,
      tenants.map((tenant) => ({ tenant_id: tenant, module: 'seal' })),
    );
  }

  async close(): Promise<void> {
    await this.queues.close();
    await this.admin.end();
    await this.store.drop();
  }
}

/** The event of a signed document. */
export const signatureEvent = (tenantId = uuidv7(), nth = 0) =>
  eventRecord({
    tenantId,
    module: 'seal',
    type: 'seal.signature.completed',
    payload: { request_id: `sig_${nth}`, note: NOTE },
  });
