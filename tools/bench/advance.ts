/**
 * advance without biometrics: a bundled platform process on durable Postgres with a KMS beside it. Sessions are opened beforehand;
 * then their steps are sent at their times, five a second, whether earlier ones were answered or not, and waiting counts. consent is
 * one transaction; the steps of a sandbox trigger are what every worked step costs but for the engine: the run, the hold of 80
 * credits, the outcome's transaction with its capture, trail and events.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import { Pool } from 'undici';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { AppProcess } from '../../libs/testing/src/app-process.ts';
import { freePort, prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, testTenant } from '../../libs/testing/src/tenants.ts';
import type { TestDatabase } from '../../libs/testing/src/test-database.ts';
import { startDevKms } from '../local/dev-kms.mjs';
import { report } from './measure.ts';

const RATE = 5;
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 60);
const APPROVE = '1999000001';
const STEPS: [name: string, input: object][] = [
  ['consent', { accepted: true }],
  ['document_upload', { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' }],
  ['face_match', { selfie_uri: 'asset://sandbox/selfie' }],
  ['sarlaft', {}],
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-advance-'));
const kms = await startDevKms({ dir: path.join(folder, 'kms') });
const cluster = await startCluster({ durable: true });
await prepareDatabase(cluster.adminUrl, [PLATFORM, IDENTITY], migrateQueue);
const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 2 });
const store = {
  query: async (sql: string, params: unknown[] = []) => (await admin.query(sql, params)).rows,
} as unknown as TestDatabase;
const tenant = await testTenant(store, { credits: 10_000_000 });
const [port, opsPort] = [await freePort(), await freePort()];
const role = (name: string) => urlFor(cluster.adminUrl, name, TEST_PASSWORD);
const environment = {
  SERVICE_ENVIRONMENT: 'sandbox',
  HOST: '127.0.0.1',
  PORT: String(port),
  OPS_PORT: String(opsPort),
  BASE_URL: 'http://bench.test',
  DATABASE_URL: role('platform_app'),
  IDENTITY_DATABASE_URL: role('identity_app'),
  QUEUE_DATABASE_URL: role('queue_app'),
  SECRETS_KEY: TEST_SECRETS_KEY,
  QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
  KMS_ENDPOINT: kms.url,
  DATA_KEY_ID: 'alias/constancia-data',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'development',
  AWS_SECRET_ACCESS_KEY: 'development',
  STORAGE_DIR: path.join(folder, 'objects'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'no-reply@constancia.example',
  RATE_LIMIT_TENANT: '1000000',
  RATE_LIMIT_IP: '1000000',
  LOG_LEVEL: 'info',
};
const app = new AppProcess('platform', environment, `http://127.0.0.1:${opsPort}/readyz`, path.join(folder, 'app.log'));
const http = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });

async function post(route: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await http.request({
    method: 'POST',
    path: route,
    headers: { 'x-api-key': tenant.apiKey, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return { status: answer.statusCode, body: JSON.parse(await answer.body.text()) as Record<string, unknown> };
}

/** Sends one request per session at its time; answers the milliseconds of each, from when it was due. */
async function atRate(sessions: string[], input: object): Promise<number[]> {
  const began = performance.now();
  return Promise.all(
    sessions.map(async (id, nth) => {
      const due = began + (nth * 1000) / RATE;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const { status, body } = await post(`/v1/flows/sessions/${id}/advance`, { input });
      if (status !== 200 || body.last_outcome !== 'advance') throw new Error(JSON.stringify(body));
      return performance.now() - due;
    }),
  );
}

const at = (sorted: number[], share: number): number => sorted[Math.floor(sorted.length * share)] as number;

try {
  await app.start();
  await post('/v1/flows/seed-default');
  const sessions: string[] = [];
  for (let nth = 0; nth < SESSIONS; nth++) {
    const opened = await post('/v1/flows/sessions', { document_type: 'CC', document_number: APPROVE, country: 'CO' });
    sessions.push(opened.body.id as string);
  }
  const rows = [];
  for (const [name, input] of STEPS) {
    const times = (await atRate(sessions, input)).sort((a, b) => a - b);
    rows.push({
      name: `advance: ${name}, ${RATE} a second, ${SESSIONS} sessions`,
      ours: `p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`,
      other: '–',
      ratio: null,
      goal: 'p95 ≤ 50 ms',
    });
  }
  report(rows);
} finally {
  await app.end('SIGTERM');
  await http.close();
  await admin.end();
  await kms.close();
  await cluster.remove();
  fs.rmSync(folder, { recursive: true, force: true });
}
