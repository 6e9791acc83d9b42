import path from 'node:path';
import { urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  APPS, type AppName, prepareDatabase, redisInstalled, startCluster, startRedis, TEST_PASSWORD, type TestRedis, webhookSink,
  type WebhookSink,
} from '@constancia/testing'; // prettier-ignore
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { brokenInvariants, NO_LIMITS, signUp } from '../e2e/deployment.fixture.ts';
import { Fleet } from '../e2e/fleet.fixture.ts';
import { atRest, type Ground, type Load, notOnce, prepareGround, steadyLoad } from '../e2e/steady-load.fixture.ts';
import { historyHas } from './history.ts';
import { bundlesOf, migrateWith, previousRelease } from './previous-release.ts';
import { breaks, readContract, type SchemaContract } from './schema-contract.ts';

const APIS = ['platform', 'compliance', 'signing'] as const;
const WORKERS = ['sealing-worker', 'webhook-dispatcher', 'biometrics-worker'] as const;
const NEW = path.join(WORKSPACE, 'dist/apps');
/** What every phase must see done: each needs the APIs, and all but the screening a worker. */
const KINDS = ['signature', 'screening', 'envelope', 'session', 'document'];
const PHASE_MS = 200_000;

/** Twelve processes and their load: minutes on a machine that does other things too. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { commit, contract } = previousRelease();

if (historyHas(commit)) describe('the previous release beside this one, on one database, under load', besideEachOther);
else it('a copy without history: the schemas keep what the previous release needs; it was not run', withoutHistory);

/** A shallow clone, or a copy without .git, cannot build the previous release: say so, and check what is on record of it. */
async function withoutHistory(): Promise<void> {
  console.warn(
    `The history here has no ${commit}: the previous release was not run. A clone with its history runs it.`,
  );
  const cluster = await startCluster();
  try {
    await prepareDatabase(cluster.adminUrl, [], migrateQueue);
    migrateWith(NEW, (role) => urlFor(cluster.adminUrl, role, TEST_PASSWORD));
    expect(breaks(contract, await contractOf(cluster.adminUrl))).toEqual([]);
  } finally {
    await cluster.remove();
  }
}

async function contractOf(adminUrl: string): Promise<SchemaContract> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  return readContract(client).finally(() => client.end());
}

function besideEachOther(): void {
  let redis: TestRedis | undefined;
  let fleet: Fleet;
  let sink: WebhookSink;
  let ground: Ground;
  let load: Load;
  let old: string;

  beforeAll(async () => {
    old = bundlesOf(commit);
    redis = redisInstalled ? await startRedis() : undefined;
    fleet = await Fleet.start({ redisUrl: redis?.url, env: { ...NO_LIMITS, DRAIN_SECONDS: '1' }, modules: [], checked: false }); // prettier-ignore
    migrateWith(old, (role) => fleet.stack.databaseUrl(role));
  });
  afterAll(async () => {
    await load?.stop();
    await fleet?.close();
    await sink?.close();
    await redis?.kill();
  });

  /** Waits until the load has done more of everything with what runs now. */
  async function everythingWorks(): Promise<void> {
    const before = { ...load.done };
    const lacking = () => KINDS.filter((kind) => (load.done[kind] ?? 0) < (before[kind] ?? 0) + 2);
    for (const deadline = Date.now() + PHASE_MS; lacking().length > 0 && Date.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(lacking()).toEqual([]);
    expect(load.failures).toEqual([]);
  }

  async function retire(names: readonly AppName[]): Promise<void> {
    const leaves = await Promise.all(names.map((name) => fleet.retire(name)));
    expect(leaves.map(({ code }) => code)).toEqual(names.map(() => 0));
  }

  it('the previous release everywhere, on its own schemas, which are those on record', async () => {
    expect(await contractOf(fleet.stack.cluster.adminUrl)).toEqual(contract);
    await fleet.add(APPS, { bundles: old });
    sink = await webhookSink();
    ground = await prepareGround(fleet.stack, sink, await signUp(fleet.stack));
    load = steadyLoad(fleet.stack, ground, 4);
    await everythingWorks();
  });

  it('this release migrates while the previous one serves', async () => {
    migrateWith(NEW, (role) => fleet.stack.databaseUrl(role));
    await everythingWorks();
  });

  it('a new copy of each beside an old one', async () => {
    await fleet.add(APPS, { bundles: NEW });
    await everythingWorks();
  });

  it('new workers do what old and new APIs accepted', async () => {
    await retire(WORKERS);
    await everythingWorks();
  });

  it('the previous release is gone', async () => {
    await retire(APIS);
    await everythingWorks();
  });

  it('rolled back: old workers do what new APIs accepted', async () => {
    await fleet.add(WORKERS, { bundles: old });
    await retire(WORKERS);
    await everythingWorks();
  });

  it('rolled back: the previous release everywhere, on the new schemas', async () => {
    await fleet.add(APIS, { bundles: old });
    await retire(APIS);
    await everythingWorks();
  });

  it('no request failed, nothing was lost, nothing was announced twice', async () => {
    await load.stop();
    await atRest(fleet.stack);
    console.log(`the load in all: ${JSON.stringify(load.done)}`);
    expect(load.failures).toEqual([]);
    expect(await notOnce(fleet.stack, sink, ground.integrator.tenantId)).toEqual([]);
    expect(await brokenInvariants(fleet.stack)).toEqual([]);
  });
}
