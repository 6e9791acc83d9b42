import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { typeId } from '@constancia/kernel';
import type { INestApplicationContext } from '@nestjs/common';
import { ContractChecker, eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acceptedRequests,
  requestOf,
  runningWorker,
  storedTemplate,
  type WorkerServices,
  workerServices,
} from '../../apps/sealing-worker/src/running-sealing-worker.fixture.ts';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

const GUIDE = path.join(import.meta.dirname, '../../docs/guides/verify.md');
const missing = ['bash', 'curl', 'openssl', 'pdfsig'].filter((tool) => spawnSync(tool, ['-v']).error !== undefined);
if (missing.length > 0) console.warn(`docs/guides/verify.md is not run: ${missing.join(', ')} missing`);

/** The commands of the guide, in their order. */
const commands = () =>
  [...fs.readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string);

describe.skipIf(missing.length > 0)('docs/guides/verify.md', () => {
  let store: TestDatabase;
  let around: WorkerServices;
  let worker: INestApplicationContext;
  let signing: RunningSigning;
  let env: Record<string, string>;

  beforeAll(async () => {
    [store, around] = await Promise.all([testDatabase(), workerServices()]);
    signing = await runningSigning(store, {
      env: { STORAGE_DIR: around.storageDir, KMS_ENDPOINT: around.kms.url },
      check: (seen) => ContractChecker.of('signing').check(seen),
    });
    worker = await runningWorker(store, around);
    const tenant = await testTenant(store);
    const [id] = (await acceptedRequests(store, tenant, await storedTemplate(store, around, tenant))) as [string];
    await eventually(async () => expect((await requestOf(store, id)).status).toBe('signed'), 15_000);
    env = { SIGNING_URL: signing.url, API_KEY: tenant.apiKey, SIGNATURE_ID: typeId('sig', id) };
  }, 60_000);
  afterAll(async () => {
    await Promise.all([worker.close(), signing.close()]);
    await Promise.all([store.drop(), around.close()]);
  });

  /** Runs commands in one shell in a new folder; answers what they print. */
  async function shell(lines: string[]): Promise<{ status: number; output: string }> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'verify-'));
    fs.writeFileSync(path.join(folder, 'run.sh'), lines.join('\n'));
    const child = spawn('bash', ['-e', 'run.sh'], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    fs.rmSync(folder, { recursive: true, force: true });
    return { status, output };
  }

  it('says commands that verify a sealed document as they stand there', async () => {
    const { status, output } = await shell(commands());
    expect(status, output).toBe(0);
    expect(output).toContain('Signature Type: ETSI.CAdES.detached');
    expect(output).toContain('Total document signed');
    expect(output).toContain('Signature is Valid');
    expect(output).toContain('the key is published');
    expect(output).toContain('Verified OK');
    expect(output).toContain('Signature Verified Successfully');
    expect(output).toMatch(/Verification successful/);
    expect(output).toContain(
      '"embedded_signature":{"valid":true,"level":"B-B","certified":true,"signer":"CN=Constancia, O=Constancia, C=CO"}',
    );
  });

  it('says commands that refuse a document with one changed byte', async () => {
    const [download, ...rest] = commands();
    const flip = `printf 'X' | dd of=document.pdf bs=1 seek=12 conv=notrunc status=none`;
    const { output } = await shell(['set +e', download as string, flip, ...rest]);
    expect(output).toContain('Digest Mismatch');
    expect(output).not.toContain('Signature is Valid');
    expect(output).toContain('Verification failure');
    expect(output).not.toContain('Verified OK');
    expect(output).not.toContain('Signature Verified Successfully');
    expect(output).not.toMatch(/Verification successful/);
    expect(output).toMatch(/"valid":false.*"embedded_signature":\{"valid":false/);
  });

  it('needs the API key for the downloads and the last step alone', () => {
    const without = commands().filter((block) => !block.includes('API_KEY'));
    expect(without).toHaveLength(commands().length - 3);
    expect(execFileSync('bash', ['-n'], { input: without.join('\n') }).toString()).toBe('');
  });
});
