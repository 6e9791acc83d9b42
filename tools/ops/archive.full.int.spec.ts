import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundled, testDatabase, type TestDatabase } from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tenantWithHistory } from '../../apps/platform/src/ledger-archive/old-entries.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';

let program: string;
let store: TestDatabase;
let platform: RunningPlatform;
let port: OpsPort;
let folder: string;

beforeAll(async () => {
  program = await bundled(path.join(import.meta.dirname, 'ops.ts'));
  store = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ops-archive-'));
  const key = { ...(await kmsVariables()), STATEMENT_KEY_ID: (await testKms()).keyId };
  platform = await runningPlatform(store, { ...key, STORAGE_DIR: folder });
  port = await opsPortOf(platform.app);
}, 120_000);
afterAll(async () => {
  await port?.close();
  await platform?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

function ops(...args: string[]): Promise<{ status: number; said: string }> {
  const env = { PATH: process.env.PATH, OPS_URL_PLATFORM: port.url, OPS_TOKEN: port.token };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'archive', ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), said: `${stdout}${stderr}`.trim() }),
    );
  });
}

it('archives old entries, lists the files, checks them and reads them back', async () => {
  const tenant = await tenantWithHistory(store, 60);
  expect(await ops('verify')).toEqual({ status: 0, said: 'There are no archived files.' });
  const run = await ops('run', '--tenant', tenant.slug, '--reason', 'yearly');
  expect(run.status).toBe(0);
  expect(run.said).toMatch(
    new RegExp(`^${tenant.slug}: 1 to 60 are in archives/ledger/${tenant.id}/1-60-[0-9a-f]{32}.ndjson\n`),
  );
  expect(run.said).toContain('1 file written. Nothing else is old enough.');
  expect((await ops('run', '--reason', 'yearly')).said).toBe('Nothing is old enough to be archived.');

  const list = await ops('list', '--tenant', tenant.slug);
  expect(Math.max(...list.said.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  const [id] = /[0-9a-f-]{36}/.exec(list.said) as unknown as [string];
  expect((await ops('verify', id)).said).toContain('1 file is as archived');
  const rows = (await ops('read', id)).said.split('\n').map((line) => JSON.parse(line) as { seq: number });
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, nth) => nth + 1));

  const [file] = /archives\S+/.exec(run.said) as unknown as [string];
  fs.appendFileSync(path.join(folder, file), '\n');
  const damaged = await ops('verify');
  expect([damaged.status, damaged.said]).toEqual([
    3,
    expect.stringContaining(`${id} is NOT as it was archived: altered`),
  ]);
  expect(await ops('read', id)).toMatchObject({ status: 1, said: expect.stringContaining('altered') as string });
}, 120_000);

it('asks the process whose history it is', async () => {
  const none = { status: 0, said: 'There are no archived files.' };
  expect(await ops('verify', '--history', 'session-trails')).toEqual(none);
  expect(await ops('list', '--history', 'envelope-trails')).toMatchObject({
    status: 2,
    said: expect.stringContaining('OPS_URL_SIGNING') as string,
  });
  expect(await ops('list', '--history', 'mails')).toMatchObject({
    status: 2,
    said: expect.stringContaining('ledger, session-trails, screenings, timelines, envelope-trails') as string,
  });
});
