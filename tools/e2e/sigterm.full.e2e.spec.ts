import { APPS, redisInstalled, startRedis, type TestRedis, webhookSink, type WebhookSink } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULES } from '../deploy/modules.ts';
import { brokenInvariants, NO_LIMITS, signUp } from './deployment.fixture.ts';
import { Fleet } from './fleet.fixture.ts';
import { atRest, type Ground, type Load, longestWaits, notOnce, prepareGround, steadyLoad } from './steady-load.fixture.ts'; // prettier-ignore

/** How long the load runs before, between and after. */
const BETWEEN_MS = 700;
/** A worker that left with work in progress would leave its lease behind, which takes 30 s and more to run out. */
const NEVER_WAITED_MS = 20_000;

/** Queues as production has them where Redis is installed; the other backend drains by the same code (libs/queue). */
describe('SIGTERM under load, two copies of each process', () => {
  let redis: TestRedis | undefined;
  let fleet: Fleet;
  let sink: WebhookSink;
  let ground: Ground;
  let load: Load;

  beforeAll(async () => {
    redis = redisInstalled ? await startRedis() : undefined;
    fleet = await Fleet.start({ redisUrl: redis?.url, env: { ...NO_LIMITS, DRAIN_SECONDS: '2' } });
    await fleet.add([...APPS, ...APPS]);
    sink = await webhookSink();
    ground = await prepareGround(fleet.stack, sink, await signUp(fleet.stack));
    load = steadyLoad(fleet.stack, ground);
  });
  afterAll(async () => {
    await load?.stop();
    await fleet?.close();
    await sink?.close();
    await redis?.kill();
  });

  const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));

  it.each(APPS)('%s: exits 0 within the grace of its manifest, and no request fails', async (name) => {
    await moment();
    const before = { ...load.done };
    const { code, ms } = await fleet.retire(name);
    await moment();
    console.log(`${name}: exit ${code} after ${ms} ms; the load since: ${JSON.stringify(since(before, load.done))}`);
    const { graceSeconds } = MODULES.find((module) => module.name === name) as { graceSeconds: number };
    expect(code).toBe(0);
    expect(ms).toBeLessThan(graceSeconds * 1_000);
    expect(load.failures).toEqual([]);
  });

  it('nothing stalled, nothing lost, nothing announced twice', async () => {
    await load.stop();
    await atRest(fleet.stack);
    const waits = await longestWaits(fleet.stack);
    console.log(`in all: ${JSON.stringify(load.done)}; the longest waits: ${JSON.stringify(waits)}`);
    expect(load.failures).toEqual([]);
    for (const kind of ['signature', 'screening', 'envelope', 'session', 'document', 'page'])
      expect(load.done[kind], kind).toBeGreaterThan(0);
    expect(waits.signature).toBeLessThan(NEVER_WAITED_MS);
    expect(waits.delivery).toBeLessThan(NEVER_WAITED_MS);
    expect(await notOnce(fleet.stack, sink, ground.integrator.tenantId)).toEqual([]);
    expect(await brokenInvariants(fleet.stack)).toEqual([]);
  });
});

function since(before: Record<string, number>, now: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(now).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]));
}
