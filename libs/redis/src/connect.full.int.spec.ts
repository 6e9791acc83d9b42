import { setTimeout as pause } from 'node:timers/promises';
import { eventually, NO_REDIS, redisInstalled, startRedisCluster, type TestRedisCluster } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connected, connectRedis, pingMasters, type RedisClient } from './index.ts';

describe.skipIf(!redisInstalled)(redisInstalled ? 'a client of a Redis Cluster' : NO_REDIS, () => {
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.remove());

  function client(address = cluster.url): RedisClient {
    const made = connectRedis(address, { lazyConnect: true, retryStrategy: () => 50 });
    made.on('error', () => undefined);
    onTestFinished(() => made.disconnect());
    return made;
  }

  it('finds all nodes by one of them, with the password of the address', async () => {
    const [first] = cluster.url.split(',') as [string];
    const redis = client(`${first}?cluster=true`);
    await connected(redis, 5_000);
    await Promise.all(Array.from({ length: 20 }, (_, i) => redis.set(`key-${i}`, i)));
    expect(await redis.get('key-7')).toBe('7');
    await pingMasters(redis, (ping) => ping);
  });

  it('does not get ready with another password, and says so in time', async () => {
    const redis = client(cluster.url.replaceAll('of-the-cluster', 'wrong'));
    const begun = performance.now();
    await expect(connected(redis, 1_000)).rejects.toThrow();
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('that connects while a slot has no master is connected as soon as it has one, and so is its copy', async () => {
    const slot = await cluster.slotOf('anything');
    const { port } = await cluster.masterOf(slot);
    for (const each of [port, ...cluster.ports.filter((other) => other !== port)])
      await cluster.ask(each, 'cluster', 'delslots', String(slot));
    await eventually(async () => {
      for (const each of cluster.ports)
        expect(await cluster.ask(each, 'cluster', 'info')).toContain('cluster_state:fail');
    });
    const redis = client();
    const copy = redis.duplicate() as RedisClient;
    copy.on('error', () => undefined);
    onTestFinished(() => copy.disconnect());
    let ready = 0;
    const connecting = [redis, copy].map((each) => each.connect().then(() => (ready += 1)));
    await pause(500);
    expect(ready).toBe(0);
    await cluster.ask(port, 'cluster', 'addslots', String(slot));
    await cluster.whole();
    await eventually(() => expect(ready).toBe(2), 5_000);
    await Promise.all(connecting);
    expect(await redis.set('anything', 'there')).toBe('OK');
  });

  it('knows whether every master answers', async () => {
    const redis = client();
    await connected(redis, 5_000);
    await pingMasters(redis, (ping) => ping);
    const failing = cluster.failOver(await cluster.slotOf('anything'));
    await eventually(() => expect(pingMasters(redis, (ping) => ping)).rejects.toThrow(), 3_000);
    const killed = await failing;
    await eventually(() => pingMasters(redis, (ping) => ping), 10_000);
    await cluster.revive(killed);
    await cluster.whole();
  });
});
