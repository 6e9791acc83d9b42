import { createLogger, Metrics } from '@constancia/telemetry';
import { describe, expect, it } from 'vitest';
import { Batch, START_WITHIN_MS } from './batch.ts';
import type { ClaimedDelivery, Deliveries } from './deliveries.ts';
import { DispatcherMetrics } from './metrics.ts';
import { EndpointHealth } from './endpoint-health.ts';

const claimed = (id: string) => ({ delivery_id: id, endpoint_id: 'e', schedule_step: 0 }) as ClaimedDelivery;

function partsOf() {
  const said: string[] = [];
  const deliveries = {
    record: async ({ delivery_id }: ClaimedDelivery) => said.push(`recorded ${delivery_id}`) > 0,
    release: async ({ delivery_id }: ClaimedDelivery) => said.push(`released ${delivery_id}`) > 0,
  } as unknown as Deliveries;
  const posted = { at: new Date(), durationMs: 1, firstByteMs: 1, httpStatus: 204, retryAfter: null, excerpt: null, error: null }; // prettier-ignore
  const parts = {
    deliveries,
    attempts: { make: async () => posted },
    temper: new EndpointHealth(),
    metrics: new DispatcherMetrics(new Metrics({ app: 'test' })),
    logger: createLogger({ app: 'test', level: 'silent' }),
    random: Math.random,
    signal: new AbortController().signal,
  };
  return { said, parts };
}

describe('a batch', () => {
  it('attempts what was claimed just now', async () => {
    const { said, parts } = partsOf();
    const batch = new Batch(parts, [claimed('1'), claimed('2')], { claimedAtMs: performance.now() });
    expect(await batch.run()).toBe('all');
    await batch.written();
    expect(said.sort()).toEqual(['recorded 1', 'recorded 2']);
  });

  it('that waited for its turn until its lease is short is given back, however lately it was begun', async () => {
    const { said, parts } = partsOf();
    const claimedAtMs = performance.now() - START_WITHIN_MS;
    const batch = new Batch(parts, [claimed('1'), claimed('2')], { claimedAtMs });
    expect(await batch.run()).toBe('halted');
    await batch.written();
    expect(said.sort()).toEqual(['released 1', 'released 2']);
  });
});
