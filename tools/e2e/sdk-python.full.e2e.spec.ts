import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { eventually, freePort, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installWheel,
  type InstalledWheel,
  python,
  PYTHON_MISSING,
} from '../../libs/sdk-python/installed-wheel.fixture.ts';
import { contractPdf, NO_LIMITS, startDeployment } from './deployment.fixture.ts';

/** The code that follows `<!-- example: name -->` on a page. */
function example(page: string, name: string): string {
  const text = fs.readFileSync(path.join(WORKSPACE, page), 'utf8');
  const [, code] = new RegExp(`<!-- example: ${name} -->\\s+\`\`\`python\\n([^]*?)\`\`\``).exec(text) ?? [];
  if (code === undefined) throw new Error(`${page} has no example "${name}"`);
  return code;
}

describe.skipIf(!python)(`the Python client and a deployment (skipped where ${PYTHON_MISSING})`, () => {
  let folder: string;
  let wheel: InstalledWheel;
  let stack: TestStack;
  let apiKey: string;
  // Not execFileSync, which stops this process: the key service of the stack runs in it.
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const hosts = { BASE_URL: stack.baseUrl, COMPLIANCE_URL: stack.complianceUrl, SIGNING_URL: stack.signingUrl };
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...hosts, ...more };
    return (await promisify(execFile)(wheel.python, args, { cwd: folder, env })).stdout;
  };

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-python-e2e-'));
    wheel = installWheel();
    stack = await startDeployment({ env: NO_LIMITS });
  });
  afterAll(async () => {
    await stack?.close();
    wheel?.remove();
    if (folder) fs.rmSync(folder, { recursive: true, force: true });
  });

  it('signs up, screens, seals, verifies the deliveries about it and proves the document offline', async () => {
    fs.writeFileSync(path.join(folder, 'loan.pdf'), await contractPdf());
    const script = path.join(WORKSPACE, 'libs/sdk-python/tests/journey.py');
    const answer = JSON.parse(await run([script], { PDF: 'loan.pdf' })) as Record<string, unknown>;
    expect(answer).toMatchObject({ decision: 'approve', proved: true, missing: 'not-found' });
    apiKey = answer.api_key as string;
  });

  it('runs the example of the guide', async () => {
    const code = example('docs/guides/sdks.md', 'screening');
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
    fs.writeFileSync(path.join(folder, 'screening.py'), code);
    expect(await run(['screening.py'], { API_KEY: apiKey })).toMatch(/^scr_\w{26} approve 8\n/);
  });

  it('receives with the receiver of its README: a genuine delivery 204, anything else 400', async () => {
    const port = await freePort();
    fs.writeFileSync(path.join(folder, 'receiver.py'), example('libs/sdk-python/README.md', 'receiver'));
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, PYTHONUNBUFFERED: '1' };
    const server = spawn(wheel.python, ['receiver.py'], { cwd: folder, env, stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}/`;
    try {
      await eventually(async () => expect((await fetch(url, { method: 'POST', body: 'not JSON' })).status).toBe(400));
      const body = JSON.stringify({ event_id: '1', event_type: 'subject.celebrated', payload: {} });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`1.${timestamp}.${body}`).digest('base64');
      const headers = { 'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
      expect((await fetch(url, { method: 'POST', headers, body: `${body} ` })).status).toBe(400);
    } finally {
      server.kill();
    }
  });
});
