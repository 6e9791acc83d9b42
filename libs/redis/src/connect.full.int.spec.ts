import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import { eventually, NO_REDIS, redisInstalled, startRedisCluster, type TestRedisCluster } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connected, connectRedis, pingMasters, type RedisClient } from './index.ts';

function client(address: string): RedisClient {
  const made = connectRedis(address, { lazyConnect: true, retryStrategy: () => 50 });
  made.on('error', () => undefined);
  onTestFinished(() => made.disconnect());
  return made;
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'a client of a Redis Cluster' : NO_REDIS, () => {
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.remove());

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
    const redis = client(cluster.url);
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
    const redis = client(cluster.url);
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

const withTls = redisInstalled && spawnSync('redis-cli', ['--tls', '--version']).status === 0;

describe.skipIf(!withTls)('a client of a Redis Cluster with TLS (skipped without redis-server that has it)', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'redis-tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    const names = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...options, ...names], { stdio: 'pipe' });
    cluster = await startRedisCluster({ tls: { cert, key } });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    await cluster?.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** What NODE_EXTRA_CA_CERTS does when a process starts. */
  function trust(file: string): void {
    const create = tls.createSecureContext;
    vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
      const made = create(options);
      (made.context as { addCACert(pem: Buffer): void }).addCACert(fs.readFileSync(file));
      return made;
    });
  }

  /** Why connections ended, by code. */
  function failures(): string[] {
    const codes: string[] = [];
    const connect = tls.connect.bind(tls) as (...args: unknown[]) => tls.TLSSocket;
    vi.spyOn(tls, 'connect').mockImplementation((...args: unknown[]) =>
      connect(...args).on('error', ({ code }: NodeJS.ErrnoException) => codes.push(code ?? '')),
    );
    return codes;
  }

  it('works on every node, and on the replica that replaces a failed master, when it trusts the authority', async () => {
    trust(cert);
    const redis = client(cluster.url);
    await connected(redis, 5_000);
    await Promise.all(Array.from({ length: 20 }, (_, i) => redis.set(`key-${i}`, i)));
    await pingMasters(redis, (ping) => ping);
    const slot = await cluster.slotOf('key-7');
    const dead = await cluster.failOver(slot);
    await eventually(async () => expect(await redis.set('key-7', 'again')).toBe('OK'), 20_000);
    await cluster.revive(dead);
    await cluster.whole();
  });

  it('rejects a cluster whose certificate is not signed by an authority that it trusts', async () => {
    const codes = failures();
    await expect(connected(client(cluster.url), 1_000)).rejects.toThrow();
    expect(codes).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('rejects a name that the certificate does not have, and cannot connect without TLS', async () => {
    trust(cert);
    const codes = failures();
    await expect(connected(client(cluster.url.replaceAll('127.0.0.1', 'localhost')), 1_000)).rejects.toThrow();
    expect(codes).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    await expect(connected(client(cluster.url.replaceAll('rediss:', 'redis:')), 1_000)).rejects.toThrow();
  });
});
