import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

const GUIDE = path.join(import.meta.dirname, '../../docs/guides/own-certificate.md');
const missing = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`docs/guides/own-certificate.md is not run: ${missing.join(', ')} missing`);

describe.skipIf(missing.length > 0)('docs/guides/own-certificate.md', { timeout: 120_000 }, () => {
  let store: TestDatabase;
  let signing: RunningSigning;

  beforeAll(async () => {
    store = await testDatabase();
    signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  }, 60_000);
  afterAll(async () => {
    await signing?.close();
    await store?.drop();
  });

  it('says commands that set a key and go back to the platform’s, as they stand there', async () => {
    const [{ apiKey, id }, kms] = await Promise.all([testTenant(store), testKms()]);
    const blocks = [...fs.readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-certificate-'));
    fs.writeFileSync(path.join(folder, 'run.sh'), blocks.join('\n'));
    const env = { PATH: process.env.PATH, SIGNING_URL: signing.url, API_KEY: apiKey, KMS_URL: kms.url };
    const child = spawn('bash', ['-e', 'run.sh'], { cwd: folder, env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    fs.rmSync(folder, { recursive: true, force: true });
    expect(status, output).toBe(0);
    expect(output).toContain(`"kms_key":"alias/constancia-tenant-${id}-2026"`);
    expect(output).toContain('"subject":"CN=Sello de la Notaria 12, O=Notaria 12, C=CO"');
    const { body } = await signing.call('/v1/signing-settings', { key: apiKey });
    expect(body).toMatchObject({ kms_key: null });
  });
});
