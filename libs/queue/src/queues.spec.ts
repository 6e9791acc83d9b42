import { SecretBox } from '@constancia/kernel';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { HintQueue } from './backend.ts';
import { Queues } from './index.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const closed = 'redis://127.0.0.1:1';
const opened: Queues[] = [];

function queuesOf(app: string): Queues {
  const queues = new Queues({
    app,
    redisUrl: closed,
    sealingKey: new SecretBox([Buffer.alloc(32, 1)]),
    logger: silent,
  });
  opened.push(queues);
  return queues;
}

describe('queues', () => {
  afterAll(() => Promise.all(opened.map((queues) => queues.close({ drainMs: 0 }))));

  it('need a store', () => {
    expect(() => new Queues({ app: 'x', sealingKey: new SecretBox([Buffer.alloc(32)]), logger: silent })).toThrow(
      /REDIS_URL or QUEUE_DATABASE_URL/,
    );
  });

  it('take intervals as schedules, and no cron patterns: tsc fails, as the bundles have no parser for them', () => {
    type Schedule = Parameters<HintQueue['upsertJobScheduler']>[1];
    expectTypeOf<{ every: number }>().toExtend<Schedule>();
    expectTypeOf<{ pattern: string }>().not.toExtend<Schedule>();
    expectTypeOf<{ every: number; pattern: string }>().not.toExtend<Schedule>();
  });

  it('refuse the consumer and the sweep of a queue that is declared for another app', () => {
    const queues = queuesOf('platform');
    expect(() => queues.addConsumer('sealing', async () => undefined, { concurrency: 1 })).toThrow(/sealing-worker/);
    expect(() => queues.every('sealing', 1_000, async () => undefined)).toThrow(/sealing-worker/);
  });

  it('refuse a second consumer of a queue', () => {
    const queues = queuesOf('sealing-worker');
    queues.addConsumer('sealing', async () => undefined, { concurrency: 1 });
    expect(() => queues.addConsumer('sealing', async () => undefined, { concurrency: 1 })).toThrow(/already/);
  });

  it('seal payloads that must cross, and open only what is intact', () => {
    const queues = queuesOf('platform');
    const sealed = queues.seal({ name: 'Ana Ruiz' });
    expect(sealed).not.toContain('Ana');
    expect(queues.open(sealed)).toEqual({ name: 'Ana Ruiz' });
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[30]! ^= 1;
    expect(() => queues.open(bytes.toString('base64url'))).toThrow();
  });

  it('count a hint that cannot be sent and tell the caller nothing', async () => {
    const queues = queuesOf('platform');
    queues.hint('sealing', { v: 1, request_id: 'r' }, 'r');
    expect(queues.lostHints).toBe(0);
    await queues.close({ drainMs: 0 });
    expect(queues.lostHints).toBe(1);
    queues.hint('sealing', { v: 1, request_id: 'r' }, 'r');
    expect(queues.lostHints).toBe(2);
  });
});
