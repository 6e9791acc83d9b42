import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { listsLoaded } from './compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from './running-compliance.fixture.ts';

const GUIDE = path.join(WORKSPACE, 'docs/guides/compliance.md');
const missing = ['bash', 'curl', 'npm'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`docs/guides/compliance.md is not run: ${missing.join(', ')} missing`);

/** The commands of the guide, in their order; the first only says where the stack and its folder are. */
const commands = () =>
  [...fs.readFileSync(GUIDE, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string);

describe.skipIf(missing.length > 0)('docs/guides/compliance.md', () => {
  let database: TestDatabase;
  let compliance: RunningCompliance;
  let apiKey: string;

  beforeAll(async () => {
    database = await testDatabase();
    compliance = await runningCompliance(database);
    apiKey = (await testTenant(database)).apiKey;
    await listsLoaded(compliance, apiKey);
  });
  afterAll(async () => {
    await compliance?.close();
    await database?.drop();
  });

  it('says commands that create, publish, screen, work a case, export and import a list as they stand there', async () => {
    const [, ...rest] = commands();
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(path.join(WORKSPACE, 'dist')), 'guide-'));
    fs.writeFileSync(path.join(folder, 'run.sh'), rest.join('\n'));
    const child = spawn('bash', ['-e', 'run.sh'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        CONSTANCIA: WORKSPACE,
        COMPLIANCE_URL: compliance.url,
        API_KEY: apiKey,
        COMPLIANCE_DATABASE_URL: database.app('compliance'),
      },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    fs.rmSync(folder, { recursive: true, force: true });
    expect(status, output).toBe(0);
    // What the guide shows as answers comes out of it, in that order.
    const shown = [
      'reject',
      'published',
      'reject',
      'true',
      'resolved',
      'true',
      'approve',
      'PEP 2-',
      'review',
      "[ 'PEP' ]",
      'INTERNAL',
    ];
    let at = 0;
    for (const answer of shown) {
      const found = output.indexOf(answer, at);
      expect(found, `${answer} after ${output.slice(0, at).slice(-200)} in\n${output}`).toBeGreaterThanOrEqual(at);
      at = found + answer.length;
    }
  }, 120_000);
});
