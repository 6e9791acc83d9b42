import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '../../../../tools/build/bundle.mjs';
import { runningIdentity, type RunningIdentity } from '../../../../tools/test/running-identity.ts';
import { SANDBOX_TRIGGERS } from './steps/sandbox-triggers.ts';

const GUIDE = path.join(WORKSPACE, 'docs/guides/identity.md');
const OWN_PHOTOS = '## With your own two photos';
const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`docs/guides/identity.md is not run: ${missing.join(', ')} missing`);

const guide = fs.readFileSync(GUIDE, 'utf8');
/** The commands up to the reader's own photos; the first block only says where the stack is. */
const commands = [...guide.slice(0, guide.indexOf(OWN_PHOTOS)).matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .slice(1)
  .map(([, block]) => block as string);

describe('the table of sandbox triggers in docs/guides/identity.md', () => {
  it('names each trigger with its number', () => {
    const rows = [...guide.matchAll(/^\| (\d{10}) \| (\w+)/gm)].map(([, documentNumber, name]) => ({
      documentNumber,
      name,
    }));
    expect(rows).toEqual(SANDBOX_TRIGGERS.map(({ documentNumber, name }) => ({ documentNumber, name })));
  });
});

describe.skipIf(missing.length > 0)('docs/guides/identity.md', () => {
  let database: TestDatabase;
  let platform: RunningIdentity;
  let apiKey: string;

  beforeAll(async () => {
    database = await testDatabase();
    platform = await runningIdentity(database);
    apiKey = (await testTenant(database)).apiKey;
  });
  afterAll(async () => {
    await platform?.close();
    await database?.drop();
  });

  it('says commands that run as they stand there, up to the photos that only its reader has', async () => {
    const child = spawn('bash', ['-e', '-c', commands.join('\n')], {
      env: { PATH: process.env.PATH, BASE_URL: platform.url, API_KEY: apiKey },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    expect(status, output).toBe(0);
    const shown = [
      '"status":"published"',
      'document_upload\nface_match\nsarlaft\ncompleted',
      'document_upload\n',
      '"reason":"blurred"',
      'face_match',
      'manual_review\ncompleted\ntrue',
    ];
    let at = 0;
    for (const answer of shown) {
      const found = output.indexOf(answer, at);
      expect(found, `${answer} in\n${output}`).toBeGreaterThanOrEqual(at);
      at = found + answer.length;
    }
  }, 120_000);
});
