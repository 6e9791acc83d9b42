import { Cluster, Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { connectRedis } from './connect.ts';

const options = { lazyConnect: true, retryStrategy: () => 50 };

describe('a client of Redis', () => {
  it('is of one server when the address is', () => {
    const redis = connectRedis('rediss://:secret@redis.example:6380', options) as Redis;
    expect(redis).toBeInstanceOf(Redis);
    expect(redis.options).toMatchObject({ host: 'redis.example', port: 6380, password: 'secret', tls: {} });
  });

  it('of a cluster takes user, password and TLS to every node, and checks certificates against the names of the address', () => {
    const address = 'rediss://ana:p%40ss@node-1.example:7000,rediss://ana:p%40ss@node-2.example:7000';
    const redis = connectRedis(address, { ...options, connectTimeout: 3_000 }) as Cluster;
    expect(redis).toBeInstanceOf(Cluster);
    expect(redis.options.redisOptions).toMatchObject({
      username: 'ana',
      password: 'p@ss',
      tls: {},
      connectTimeout: 3_000,
    });
    // A name that is not resolved beforehand is what TLS verifies.
    redis.options.dnsLookup?.('node-1.example', (_error, host) => expect(host).toBe('node-1.example'));
    expect.assertions(3);
  });

  it('of a cluster without TLS uses none', () => {
    const redis = connectRedis('redis://node-1.example?cluster=true', options) as Cluster;
    expect(redis.options.redisOptions?.tls).toBeUndefined();
  });
});
