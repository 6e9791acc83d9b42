import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { contractPdf, type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

const TYPESCRIPT = path.join(WORKSPACE, 'node_modules/typescript/bin/tsc');
const README = fs.readFileSync(path.join(WORKSPACE, 'libs/sdk/README.md'), 'utf8');

/** The code that follows `<!-- example: name -->` in the package's README. */
function example(name: string): string {
  const [, code] = new RegExp(`<!-- example: ${name} -->\\s+\`\`\`ts\\n([^]*?)\`\`\``).exec(README) ?? [];
  if (code === undefined) throw new Error(`libs/sdk/README.md has no example "${name}"`);
  return code;
}

describe('the client as a package, installed from its file in an empty project', () => {
  let project: string;
  let stack: TestStack;
  let integrator: Integrator;
  const inProject = (command: string, args: string[], env: Record<string, string> = {}) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', env: { ...process.env, ...env }, stdio: 'pipe' });
  /** What the compiler has to say; empty: nothing. */
  const compilerErrors = (args: string[]) =>
    spawnSync(process.execPath, [TYPESCRIPT, '--noEmit', ...args], { cwd: project, encoding: 'utf8' }).stdout;
  const write = (file: string, text: string | Uint8Array) => fs.writeFileSync(path.join(project, file), text);

  beforeAll(async () => {
    project = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-project-'));
    const packed = execFileSync(process.execPath, ['tools/build/sdk.mjs'], { cwd: WORKSPACE, encoding: 'utf8' }).trim();
    write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }));
    const types = readTypesOfNode();
    inProject('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', path.join(WORKSPACE, packed), types]);
    write('loan.pdf', await contractPdf());
    stack = await startDeployment({ env: NO_LIMITS });
    integrator = await signUp(stack);
  });
  afterAll(async () => {
    await stack?.close();
    if (project) fs.rmSync(project, { recursive: true, force: true });
  });

  it('carries no source, and asks for what it needs with exact versions', () => {
    const installed = path.join(project, 'node_modules/@constancia/sdk');
    const names = fs.readdirSync(installed, { recursive: true }) as string[];
    expect(names.filter((name) => /\.ts$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
    const manifest = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect(manifest.private).toBeUndefined();
    for (const version of Object.values(manifest.dependencies ?? {})) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('runs the example of its README, as an ES module', async () => {
    write('quick-start.mjs', example('quick-start'));
    const env = { SIGNING_URL: stack.signingUrl, API_KEY: integrator.apiKey };
    // Not inProject, which stops this process: the key service of the stack runs in it.
    const { stdout } = await promisify(execFile)(process.execPath, ['quick-start.mjs'], {
      cwd: project,
      env: { ...process.env, ...env },
    });
    expect(stdout).toMatch(/^sig_\w{26} pending\n$/);
  });

  it('loads as CommonJS with the same exports', () => {
    write('names.cjs', `console.log(JSON.stringify(Object.keys(require('@constancia/sdk')).sort()));`);
    write('names.mjs', `import * as sdk from '@constancia/sdk'; console.log(JSON.stringify(Object.keys(sdk).sort()));`);
    const names = inProject(process.execPath, ['names.cjs']);
    expect(JSON.parse(names)).toContain('createSigningClient');
    expect(inProject(process.execPath, ['names.mjs'])).toBe(names);
  });

  it('compiles with the settings of tsc --init: the examples, CommonJS, and each event typed by its event_type', () => {
    inProject(process.execPath, [TYPESCRIPT, '--init', '--types', 'node']);
    write('quick-start.ts', example('quick-start'));
    write('receiver.ts', example('receiver'));
    write(
      'client.cts',
      `import sdk = require('@constancia/sdk');\nexport = sdk.createPlatformClient({ baseUrl: 'http://127.0.0.1' });\n`,
    );
    write(
      'events.ts',
      [
        `import { verifyStandardWebhook, type WebhookEventOf } from '@constancia/sdk';`,
        `const event = verifyStandardWebhook('', {}, '');`,
        `if (event.event_type === 'seal.signature.completed') event.payload.request_id.length;`,
        `// @ts-expect-error the payload of this event has no request_id`,
        `if (event.event_type === 'subject.verified') event.payload.request_id.length;`,
        `export type Verified = WebhookEventOf<'subject.verified'>['payload']['subject_id'];`,
      ].join('\n'),
    );
    expect(compilerErrors(['-p', '.'])).toBe('');
  });

  it('has declarations that hold by themselves, without types of Node', () => {
    write('declarations.mts', `export * from '@constancia/sdk';\n`);
    const settings = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--skipLibCheck', 'false'];
    expect(compilerErrors([...settings, 'declarations.mts'])).toBe('');
  });

  it('receives with the receiver of its README: a genuine delivery 204, anything else 400', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    write('receiver.mjs', example('receiver'));
    const { server, url } = await startReceiver(project, secret);
    try {
      const body = JSON.stringify({ event_id: '1', event_type: 'subject.verified', payload: { subject_id: 'sub_1' } });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`1.${timestamp}.${body}`).digest('base64');
      const headers = { 'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
      expect((await fetch(url, { method: 'POST', headers, body: `${body} ` })).status).toBe(400);
      expect((await fetch(url, { method: 'POST', body: 'not JSON' })).status).toBe(400);
    } finally {
      server.kill();
    }
  });
});

/** The specifier of the workspace's own @types/node: the same file is in npm's cache. */
function readTypesOfNode(): string {
  const { devDependencies } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return `@types/node@${devDependencies['@types/node']}`;
}

async function startReceiver(project: string, secret: string) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const server = spawn(process.execPath, ['receiver.mjs'], { cwd: project, env, stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}/`;
  await eventually(async () => expect((await fetch(url, { method: 'POST' })).status).toBe(400));
  return { server, url };
}
