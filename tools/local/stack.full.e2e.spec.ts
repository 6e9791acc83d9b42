import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { reachableDataFolder } from '@constancia/dev-servers/embedded-postgres';

interface StackFile {
  base_url: string;
  compliance_url: string;
  signing_url: string;
  tenant: { tenant_id: string; slug: string; api_key: string; webhook_secret: string };
  pids: Record<string, number>;
}

/** Below the ports that the system hands out by itself, so that nobody else gets one of them meanwhile. */
const portBase = 20_000 + (process.pid % 100) * 100;

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !fs.existsSync('/proc') || !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the local stack, in a clean copy with a space in its path that only its owner may enter', () => {
  let parent: string;
  let copy: string;

  beforeAll(() => {
    spawnSync(process.execPath, [path.join(WORKSPACE, 'tools/build/build.mjs')]);
    parent = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-copy-'));
    copy = path.join(parent, 'a clean copy');
    fs.mkdirSync(copy, { mode: 0o700 });
    for (const entry of fs.readdirSync(WORKSPACE)) {
      if (['.git', '.local', '.nx', 'node_modules', 'coverage'].includes(entry)) continue;
      fs.cpSync(path.join(WORKSPACE, entry), path.join(copy, entry), { recursive: true });
    }
    // Hard links where the system can, a copy where it cannot.
    const modules = path.join(WORKSPACE, 'node_modules');
    if (spawnSync('cp', ['-al', modules, copy]).status !== 0) spawnSync('cp', ['-a', modules, copy]);
  });

  afterAll(() => {
    node('stop.mjs');
    const data = reachableDataFolder(path.join(copy, '.local/postgres'));
    fs.rmSync(data, { recursive: true, force: true });
    if (!data.startsWith(copy)) fs.rmSync(path.dirname(data), { recursive: true, force: true });
    fs.rmSync(parent, { recursive: true, force: true });
  });

  const node = (tool: string, args: string[] = [], timeout = 110_000) => {
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LOG_LEVEL: 'info' };
    const done = spawnSync(process.execPath, [path.join(copy, 'tools/local', tool), ...args], {
      cwd: copy,
      env,
      encoding: 'utf8',
      timeout,
    });
    return { status: done.status, said: done.stdout + done.stderr };
  };
  const start = (...args: string[]) => node('start.mjs', ['--port-base', String(portBase), ...args]);
  const stackFile = () => JSON.parse(fs.readFileSync(path.join(copy, '.local/stack.json'), 'utf8')) as StackFile;
  const balance = ({ base_url, tenant }: StackFile) =>
    fetch(`${base_url}/v1/billing/balance`, { headers: { 'x-api-key': tenant.api_key } });

  it('answers a flag that it does not know with its usage', () => {
    const { status, said } = start('--fast');
    expect(status).toBe(2);
    expect(said).toContain('There is no flag "--fast"');
    expect(said).toContain('Usage: npm start');
  });

  it('names a port that is taken and says what to do', async () => {
    const stranger = net.createServer();
    await new Promise<void>((resolve) => stranger.listen(portBase + 2, '127.0.0.1', resolve));
    try {
      const { status, said } = start();
      expect(status).toBe(1);
      expect(said).toMatch(new RegExp(`^Port ${portBase + 2} \\(signing\\) is taken.*--port-base \\d+`, 'm'));
    } finally {
      stranger.close();
    }
  });

  it('passes its own check, and stops what it started', async () => {
    const { status, said } = start('--check');
    expect(said).toContain('Check passed.');
    expect(status).toBe(0);
    expect(stackFile().pids).toEqual({});
    await expect(fetch(`http://127.0.0.1:${portBase}/livez`)).rejects.toThrow();
  });

  it('runs in the background, starts again an app that died, and refuses a second launcher', async () => {
    expect(start('--detach')).toMatchObject({ status: 0 });
    const stack = stackFile();
    for (const kept of ['stack.json', 'ops.json']) {
      expect((fs.statSync(path.join(copy, '.local', kept)).mode & 0o777).toString(8), kept).toBe('600');
    }
    expect((await balance(stack)).status).toBe(200);

    process.kill(stack.pids.platform as number, 'SIGKILL');
    await eventually(async () => expect((await balance(stack)).status).toBe(200), 20_000);

    const second = start();
    expect(second.status).toBe(1);
    expect(second.said).toContain('already runs');
  });

  it('starts again after a kill -9 of the launcher, with the same tenant and without what was left behind', async () => {
    const before = stackFile();
    process.kill(before.pids.launcher as number, 'SIGKILL');
    const { status, said } = start('--detach');
    expect(status).toBe(0);
    expect(said).toContain('Ended what an interrupted start left behind');
    const { platform: _restartedAlready, ...left } = before.pids;
    expect(Object.entries(left).filter(([, pid]) => alive(pid))).toEqual([]);
    expect(stackFile().tenant).toEqual(before.tenant);
    expect((await balance(stackFile())).status).toBe(200);
  });

  it('gives the demo tenant a month of use once, and its owner a link to the console every time', async () => {
    const link = /http:\/\/localhost:\d+\/login#token=lgn_[0-9A-Za-z]{43}$/m;
    const { status, said } = node('demo.mjs', ['--console'], 240_000);
    expect(said).toMatch(link);
    expect(status).toBe(0);
    const again = node('demo.mjs', ['--console']);
    expect(again.said).toMatch(link);
    expect(again.said).not.toContain(link.exec(said)?.[0]);

    const { base_url, compliance_url, signing_url, tenant } = stackFile();
    const statuses = async (url: string): Promise<string[]> => {
      const response = await fetch(url, { headers: { 'x-api-key': tenant.api_key } });
      const { data } = (await response.json()) as { data: { status: string }[] };
      return [...new Set(data.map((one) => one.status))].sort();
    };
    const cases = await statuses(`${compliance_url}/v1/cases`);
    expect(cases).toEqual(['escalated', 'in_review', 'open', 'pending_approval', 'resolved']);
    const envelopes = await statuses(`${signing_url}/v1/envelopes`);
    expect(envelopes).toEqual(['declined', 'expired', 'in_progress', 'sealed', 'sent', 'voided']);
    expect(await statuses(`${base_url}/webhook-deliveries?status=failed`)).toEqual(['failed']);
    const sessions = await statuses(`${base_url}/v1/flows/sessions`);
    expect(sessions).toEqual(['completed', 'failed', 'in_progress', 'manual_review']);
  }, 260_000);

  it('stops everything on "npm run stop"', () => {
    const { pids } = stackFile();
    expect(node('stop.mjs')).toMatchObject({ status: 0, said: 'Stopped.\n' });
    expect(Object.entries(pids).filter(([, pid]) => alive(pid))).toEqual([]);
    expect(node('stop.mjs').said).toBe('Nothing of this checkout runs.\n');
  });

  it('says what to do about a broken data directory, and --fresh does it', () => {
    const data = reachableDataFolder(path.join(copy, '.local/postgres'));
    fs.rmSync(path.join(data, 'global/pg_control'));
    const broken = start('--check');
    expect(broken.status).toBe(1);
    expect(broken.said).toContain('begin with empty data by "npm start -- --fresh"');

    const former = stackFile().tenant;
    expect(start('--fresh', '--detach')).toMatchObject({ status: 0 });
    expect(stackFile().tenant.tenant_id).not.toBe(former.tenant_id);
  });
});

describe('the launcher on an old Node', () => {
  it('says which Node it needs', () => {
    const start = path.join(WORKSPACE, 'tools/local/start.mjs');
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `${pretend} await import(${JSON.stringify(start)});`],
      { encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Constancia needs Node 20\.19 or newer and this is Node 18\.20\.4: .*\n$/);
  });
});
