import { createLogger, Metrics } from '@constancia/telemetry';
import { describe, expect, it } from 'vitest';
import type { Attempts } from './attempt.ts';
import { AT_ONCE, Batch, START_WITHIN_MS } from './batch.ts';
import type { ClaimedDelivery, Deliveries } from './deliveries.ts';
import { DeliveryRun } from './delivery-run.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { DispatcherMetrics } from './metrics.ts';
import { RetryJitter } from './retry-jitter.ts';

const claimed = (id: string) => ({ delivery_id: id, endpoint_id: 'e', schedule_step: 0 }) as ClaimedDelivery;

function runOf(httpStatus: number) {
  const said: string[] = [];
  const deliveries = {
    record: async ({ delivery_id }: ClaimedDelivery) => said.push(`recorded ${delivery_id}`) > 0,
    release: async ({ delivery_id }: ClaimedDelivery) => said.push(`released ${delivery_id}`) > 0,
  } as unknown as Deliveries;
  const posted = {
    at: new Date(),
    durationMs: 1,
    firstByteMs: 1,
    httpStatus,
    retryAfter: null,
    excerpt: null,
    error: null,
  };
  const attempts = {
    make: async ({ delivery_id }: ClaimedDelivery) => {
      if (delivery_id === 'sealed with an unknown key') throw new Error('cannot be opened');
      return posted;
    },
  } as unknown as Attempts;
  const metrics = new DispatcherMetrics(new Metrics({ app: 'test' }));
  const logger = createLogger({ app: 'test', level: 'silent' });
  return { said, run: new DeliveryRun(deliveries, attempts, new EndpointHealth(), metrics, logger, new RetryJitter()) };
}

const { signal } = new AbortController();

describe('a batch', () => {
  it('attempts what was claimed just now', async () => {
    const { said, run } = runOf(204);
    const batch = new Batch(run, [claimed('1'), claimed('2')], { claimedAtMs: performance.now(), signal });
    expect(await batch.run()).toBe('all');
    await batch.written();
    expect(said.sort()).toEqual(['recorded 1', 'recorded 2']);
  });

  it('that waited for its turn until its lease is short is given back, however lately it was begun', async () => {
    const { said, run } = runOf(204);
    const claimedAtMs = performance.now() - START_WITHIN_MS;
    const batch = new Batch(run, [claimed('1'), claimed('2')], { claimedAtMs, signal });
    expect(await batch.run()).toBe('halted');
    await batch.written();
    expect(said.sort()).toEqual(['released 1', 'released 2']);
  });

  it('stops when its receiver is gone, and gives the rest back', async () => {
    const { said, run } = runOf(410);
    const ids = Array.from({ length: AT_ONCE + 2 }, (_, nth) => `${nth}`);
    const batch = new Batch(run, ids.map(claimed), { claimedAtMs: performance.now(), signal });
    expect(await batch.run()).toBe('halted');
    await batch.written();
    expect(said.filter((line) => line.startsWith('recorded'))).toHaveLength(AT_ONCE);
    expect(said.filter((line) => line.startsWith('released'))).toHaveLength(2);
  });

  it('stops at what cannot be attempted because of an internal error, and releases it', async () => {
    const { said, run } = runOf(204);
    const batch = new Batch(run, [claimed('sealed with an unknown key')], { claimedAtMs: performance.now(), signal });
    expect(await batch.run()).toBe('internal-error');
    await batch.written();
    expect(said).toEqual(['released sealed with an unknown key']);
  });
});
