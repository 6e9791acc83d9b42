import fs from 'node:fs';
import { sleep } from '@constancia/kernel';
import { MAX_STALENESS_SECONDS } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import { eventually, prepareDatabase, type Standby, startCluster, type TestStack } from '@constancia/testing';
import { browserInstalled, openBrowser } from '@constancia/testing/browser';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import {
  httpOf,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  signUp,
  startDeployment,
  uploadTemplate,
} from './deployment.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const APIS = ['platform', 'compliance', 'signing'] as const;
type Api = (typeof APIS)[number];

let stack: TestStack;
let standby: Standby;
let integrator: Integrator;
let templateId: string;

beforeAll(async () => {
  const cluster = await startCluster();
  await prepareDatabase(cluster.adminUrl, [PLATFORM, IDENTITY, COMPLIANCE, SIGNING], migrateQueue);
  await cluster.addStandby({ synchronous: false });
  standby = cluster.standby as Standby;
  stack = await startDeployment({ cluster, apps: APIS, env: NO_LIMITS });
  integrator = await signUp(stack);
  templateId = await uploadTemplate(stack, integrator);
});
afterAll(() => stack?.close());
beforeEach(() =>
  eventually(async () => {
    for (const api of APIS) expect((await get(api, LIST[api])).age, api).not.toBeNull();
  }, 30_000),
);

const LIST: Record<Api, string> = {
  platform: '/v1/events',
  compliance: '/v1/screenings',
  signing: '/v1/signatures?limit=100',
};
const hostOf = (api: Api) =>
  ({ platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl })[api];

interface Seen {
  status: number;
  age: string | null;
  ids: string[];
}

async function get(
  api: Api,
  path: string,
  headers: Record<string, string> = {},
  key = integrator.apiKey,
): Promise<Seen> {
  const response = await httpOf(stack)(`${hostOf(api)}${path}`, { headers: { 'X-API-Key': key, ...headers } });
  const body = Buffer.from(await response.arrayBuffer());
  const isList = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const { data } = (isList ? JSON.parse(body.toString()) : {}) as { data?: { id: string }[] };
  return {
    status: response.status,
    age: response.headers.get('age'),
    ids: Array.isArray(data) ? data.map(({ id }) => id) : [],
  };
}

async function atStandby(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function accepted(): Promise<string> {
  const response = await requestSignature(stack, integrator, templateId);
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

/** Paths of GET operations whose answers may be stale, as the descriptions state. */
function stalePaths(api: Api): string[] {
  type Described = { description?: string; responses: Record<string, { headers?: Record<string, unknown> }> };
  const { paths } = parse(fs.readFileSync(`docs/api/${api}.v1.yaml`, 'utf8')) as {
    paths: Record<string, Record<string, Described>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { description = '', responses }]) => {
      const hasAge = Object.values(responses).some(({ headers = {} }) => 'Age' in headers);
      expect(hasAge, path).toBe(description.includes('Cache-Control: no-cache'));
      if (!hasAge) return [];
      expect(method, path).toBe('get');
      return [path];
    }),
  );
}

/** How many reads of an API came from where, by its metrics. */
async function reads(api: Api, result: string): Promise<number> {
  const text = await (await fetch(`${stack.app(api).opsUrl}/metrics`)).text();
  return Number(new RegExp(`^replica_reads_total\\{[^}]*result="${result}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

it('every operation that is said to be stale is answered from the standby, and says how old it is', async () => {
  const paths = APIS.flatMap((api) => stalePaths(api).map((path) => [api, path] as const));
  expect(paths.map(([api, path]) => `${api} ${path}`).sort()).toEqual([
    'compliance /v1/cases',
    'compliance /v1/cases/export',
    'compliance /v1/export',
    'compliance /v1/monitored-subjects',
    'compliance /v1/reports/compliance',
    'compliance /v1/reports/compliance/cases',
    'compliance /v1/reports/compliance/pdf',
    'compliance /v1/reports/compliance/screenings',
    'compliance /v1/screenings',
    'platform /v1/billing/usage',
    'platform /v1/events',
    'platform /v1/export',
    'platform /v1/kyc/subjects',
    'platform /webhook-deliveries',
    'signing /v1/envelopes',
    'signing /v1/export',
    'signing /v1/signatures',
  ]);
  for (const [api, path] of paths) {
    const period = path.startsWith('/v1/reports') ? '?from=2026-11-01&to=2026-11-02' : '';
    const before = await reads(api, 'replica');
    const { status, age } = await get(api, `${path}${period}`);
    expect(status, path).toBe(200);
    expect(Number(age ?? NaN), path).toBeLessThanOrEqual(MAX_STALENESS_SECONDS);
    expect(await reads(api, 'replica'), path).toBeGreaterThan(before);
    const current = await get(api, `${path}${period}`, { 'Cache-Control': 'no-cache' });
    expect(current, path).toMatchObject({ status: 200, age: null });
  }
});

it('what was just created is found by its id at once, in lists after a moment, or at once when the caller asks for that', async () => {
  await atStandby('select pg_wal_replay_pause()');
  const id = await accepted();
  expect(await get('signing', `/v1/signatures/${id}`)).toMatchObject({ status: 200, age: null });
  const stale = await get('signing', LIST.signing);
  expect(stale.age).not.toBeNull();
  expect(stale.ids).not.toContain(id);
  for (const directive of ['no-cache', 'max-age=0']) {
    const current = await get('signing', LIST.signing, { 'Cache-Control': directive });
    expect(current.age).toBeNull();
    expect(current.ids).toContain(id);
  }
  const balance = await fetch(`${stack.baseUrl}/v1/billing/balance`, { headers: { 'X-API-Key': integrator.apiKey } });
  expect(await balance.json()).toMatchObject({ available: 960 });
  expect(balance.headers.get('age')).toBeNull();
  await sleep(MAX_STALENESS_SECONDS * 1_000 + 500);
  const late = await get('signing', LIST.signing);
  expect(late.age).toBeNull();
  expect(late.ids).toContain(id);
  expect(await reads('signing', 'behind')).toBeGreaterThan(0);
  await atStandby('select pg_wal_replay_resume()');
  await eventually(async () => {
    const { age, ids } = await get('signing', LIST.signing);
    expect(age).not.toBeNull();
    expect(ids).toContain(id);
  });
});

it('shows a tenant nothing of another one', async () => {
  const id = await accepted();
  await eventually(async () => expect((await get('signing', LIST.signing)).ids).toContain(id));
  const other = await signUp(stack);
  await eventually(async () => {
    const seen = await get('signing', LIST.signing, {}, other.apiKey);
    expect(seen.age).not.toBeNull();
    expect(seen.ids).toEqual([]);
  });
});

it('no request fails while the standby is down, and the standby is read again when it is back', async () => {
  const answers: Seen[] = [];
  let going = true;
  const clients = APIS.map(async (api) => {
    while (going) answers.push(await get(api, LIST[api]));
  });
  await sleep(500);
  await standby.stop();
  await sleep(3_000);
  const id = await accepted(); // what is written does not care
  going = false;
  await Promise.all(clients);
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
  expect(answers.some(({ age }) => age !== null)).toBe(true);
  const without = await get('signing', LIST.signing);
  expect(without.age).toBeNull();
  expect(without.ids).toContain(id);
  for (const api of APIS) {
    expect(await reads(api, 'unavailable'), api).toBeGreaterThan(0);
    expect(stack.app(api).log).toContain('the replica is unavailable');
  }
  await standby.start();
});

it.skipIf(!browserInstalled('what browsers send'))(
  'the console reads what was just written: its requests say so',
  async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const asked: Promise<Record<string, string>>[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'fetch') asked.push(request.allHeaders());
      });
      await page.goto(stack.consoleUrl);
      await eventually(() => expect(asked.length).toBeGreaterThan(0));
      for (const headers of await Promise.all(asked)) expect(headers['cache-control']).toBe('no-cache');
    } finally {
      await browser.close();
    }
  },
);
