import { execFile } from 'node:child_process';
import path from 'node:path';
import { bundled } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArchiveBench } from '../../apps/compliance/src/screenings/archive/archived-screenings.fixture.ts';

let program: string;
let bench: ArchiveBench;

beforeAll(async () => {
  program = await bundled(path.join(import.meta.dirname, 'ops.ts'));
  bench = await ArchiveBench.start();
}, 120_000);
afterAll(async () => bench?.close());

function ops(command: string, ...args: string[]): Promise<{ status: number; said: string }> {
  const env = { PATH: process.env.PATH, OPS_URL_COMPLIANCE: bench.ops.url, OPS_TOKEN: bench.ops.token };
  return new Promise((resolve) => {
    const called = [program, 'archive', command, '--history', 'screenings', ...args];
    execFile(process.execPath, called, { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), said: `${stdout}${stderr}`.trim() }),
    );
  });
}

it('archives closed screenings, lists the files, checks them and reads them back, sealed', async () => {
  const tenant = await bench.tenant();
  await bench.screenings(tenant, 3);
  await bench.age(tenant);
  const run = await ops('run', '--tenant', tenant.slug, '--reason', 'yearly');
  expect(run).toMatchObject({ status: 0, said: expect.stringContaining('archives/screenings/') as string });
  const list = await ops('list', '--tenant', tenant.slug);
  const [id] = /[0-9a-f-]{36}/.exec(list.said) as unknown as [string];
  expect((await ops('verify')).said).toContain('1 file is as archived');
  const rows = (await ops('read', id)).said.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    subject_ref: 'customer-1',
    facts: {},
    result: '',
    sealed_payload: expect.any(String),
  });
}, 120_000);
