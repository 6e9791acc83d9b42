import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { FilesystemStore } from '@constancia/storage';
import { createLogger, createWorkerApp } from '@constancia/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SealingConfig } from '../../apps/sealing-worker/src/config.ts';
import { SealingWorkerModule } from '../../apps/sealing-worker/src/sealing-worker.module.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { freePort } from '@constancia/testing/cluster';
import type { TestDatabase } from '@constancia/testing/test-database';
import { benchDatabase } from './bench-database.ts';

const KEY = Buffer.alloc(32, 3).toString('base64');

/** All that a sealing worker works with, and a tenant with credits. */
export class SealingStack {
  readonly tenantId = uuidv7();
  readonly objects: FilesystemStore;
  private readonly signing: Queues;
  private readonly config: SealingConfig;

  private constructor(
    private readonly folder: string,
    private readonly store: TestDatabase,
  ) {
    const storageDir = path.join(folder, 'objects');
    this.objects = new FilesystemStore({ dir: storageDir });
    this.config = Object.assign(new SealingConfig(), {
      environment: 'sandbox',
      drainSeconds: 25,
      logLevel: 'warn',
      databaseUrl: store.app('signing'),
      databasePoolSize: 10,
      queueDatabaseUrl: store.queueUrl,
      queueSealingKey: KEY,
      storageDir,
      awsRegion: 'us-east-1',
      signUrl: 'https://sign.example',
      kmsKeyId: 'alias/constancia-signing',
      kmsMaxPerSecond: 10_000,
      certificateSubject: 'CN=Constancia, O=Constancia, C=CO',
      processes: 2,
      memoryMb: 512,
      deadlineMs: 8_000,
      giveUpSeconds: 900,
      templateCacheMb: 64,
      documentsMb: 256,
    } satisfies Partial<SealingConfig>);
    this.signing = new Queues({
      app: 'signing',
      databaseUrl: store.queueUrl,
      sealingKey: SecretBox.fromText(KEY),
      logger: createLogger({ app: 'signing', level: 'silent' }),
    });
  }

  static async start(): Promise<SealingStack> {
    process.env.AWS_ACCESS_KEY_ID = 'development';
    process.env.AWS_SECRET_ACCESS_KEY = 'development';
    const store = await benchDatabase([PLATFORM, SIGNING]);
    const stack = new SealingStack(fs.mkdtempSync(path.join(os.tmpdir(), 'bench-seals-')), store);
    await stack.query(
      `insert into platform.tenant (id, slug, display_name, owner_email, plan, environment, webhook_secret)
       values ($1, 'bench', 'Bench', 'bench@constancia.example', 'sandbox', 'sandbox', '\\x00')`,
      [stack.tenantId],
    );
    await stack.query('insert into platform.credit_account (tenant_id) values ($1)', [stack.tenantId]);
    await stack.query(`select platform_v1.grant_credits($1, 1000000, 'signup', $1, 'bench')`, [stack.tenantId]);
    return stack;
  }

  query<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return this.store.query<Row>(sql, params);
  }

  hint(id: string): void {
    this.signing.hint('sealing', { v: 1, request_id: id }, id);
  }

  worker(kms: BenchKms, changes: Partial<SealingConfig> = {}): Promise<INestApplicationContext> {
    const config = Object.assign(new SealingConfig(), this.config, { kmsEndpoint: kms.url }, changes);
    return createWorkerApp(SealingWorkerModule, config);
  }

  /** A KMS in a process of its own; with a rate, it throttles what comes above it. */
  async kms(rate?: number): Promise<BenchKms> {
    const port = await freePort();
    const limits = rate === undefined ? [] : ['--rate', String(rate)];
    const args = ['--dir', path.join(this.folder, 'kms'), '--port', String(port), ...limits];
    const child = spawn(process.execPath, ['libs/dev-servers/src/dev-kms.mjs', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      counts: async () => (await (await fetch(`${url}/__health`)).json()) as KmsCounts,
      stop: () => child.kill(),
    };
  }

  async close(): Promise<void> {
    await this.signing.close();
    await this.store.drop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface KmsCounts {
  throttled: number;
  most_in_one_second: number;
}

export interface BenchKms {
  url: string;
  /** What it counted itself. */
  counts(): Promise<KmsCounts>;
  stop(): void;
}
