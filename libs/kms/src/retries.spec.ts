import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDevKms, type DevKms, type KmsMode } from '@constancia/dev-servers/dev-kms';
import { type Fault, type FaultyPath, faultyPath } from './faulty-path.fixture.ts';
import { SigningKms, type KmsOptions, KmsUnavailable } from './index.ts';
import { pauseMs } from './retry.ts';

const digest = createHash('sha256').update('document').digest();

let folder: string;
let server: DevKms;
let way: FaultyPath;
const opened: SigningKms[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kms-'));
  server = await startDevKms({ dir: folder });
});
beforeEach(async () => {
  way = await faultyPath(server.url);
});
afterEach(async () => {
  server.setMode('ok');
  for (const kms of opened.splice(0)) kms.close();
  await way.close();
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

function kms(options: Partial<KmsOptions> = {}): SigningKms {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const made = new SigningKms({ region: 'us-east-1', endpoint: way.url, credentials, ...options });
  opened.push(made);
  return made;
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as KmsUnavailable).reason,
  );

describe('a request that fails', () => {
  it.each<{ faults: Fault[]; requests: number }>([
    { faults: ['reset'], requests: 2 },
    { faults: ['reset', 'reset'], requests: 3 },
    { faults: ['endless'], requests: 2 },
    { faults: ['slow', 'slow'], requests: 3 },
  ])('$faults is sent again, and each time takes a turn', async ({ faults, requests }) => {
    way.faults.push(...faults);
    const signer = kms({ attemptTimeoutMs: 300 });
    expect(await signer.sign(server.keyArn, digest)).toHaveLength(256);
    expect(way.arrivals).toHaveLength(requests);
    expect(signer.requests).toBe(requests);
  });

  it.each<{ mode: KmsMode; reason: string; requests: number }>([
    { mode: '5xx', reason: 'server-error', requests: 3 },
    { mode: 'throttle', reason: 'throttled', requests: 3 },
    { mode: 'hang', reason: 'timeout', requests: 3 },
    { mode: 'gone', reason: 'key-unusable', requests: 1 },
  ])('for good ($mode) is given up as $reason after $requests requests', async ({ mode, reason, requests }) => {
    server.setMode(mode);
    const signer = kms({ attemptTimeoutMs: 300 });
    expect(await reasonOf(signer.sign(server.keyArn, digest))).toBe(reason);
    expect(way.arrivals).toHaveLength(requests);
    expect(signer.requests).toBe(requests);
  });

  it('is given up as unreachable when connections break again and again', async () => {
    way.faults.push('reset', 'reset', 'reset');
    expect(await reasonOf(kms().sign(server.keyArn, digest))).toBe('unreachable');
    expect(way.arrivals).toHaveLength(3);
  });

  it('is not sent again when its time is over', async () => {
    server.setMode('hang');
    const started = performance.now();
    expect(await reasonOf(kms({ deadlineMs: 500, maxAttempts: 9 }).sign(server.keyArn, digest))).toBe('timeout');
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(way.arrivals).toHaveLength(1);
  });
});

describe('the limit of requests a second', () => {
  it('holds at KMS with retries counted: throttled, reset and slow ones', async () => {
    const perSecond = 60;
    const signer = kms({ maxPerSecond: perSecond, maxAttempts: 8, deadlineMs: 20_000, attemptTimeoutMs: 500 });
    way.faults.push(...Array.from({ length: 60 }, (_, nth) => (['reset', 'none', 'slow'] as const)[nth % 3] as Fault));
    setTimeout(() => server.setMode('throttle'), 300);
    setTimeout(() => server.setMode('ok'), 800);
    const signatures = await Promise.all(Array.from({ length: 100 }, () => signer.sign(server.keyArn, digest)));
    expect(signatures).toHaveLength(100);
    const { arrivals } = way;
    expect(arrivals.length).toBeGreaterThan(120);
    expect(signer.requests).toBe(arrivals.length);
    const most = Math.max(...arrivals.map((from, nth) => arrivals.slice(nth).filter((at) => at < from + 1_000).length));
    expect(most).toBeLessThanOrEqual(perSecond);
  }, 20_000);

  it('is waited for by calls in flight without end: none waits longer than its deadline', async () => {
    server.setMode('hang');
    const signer = kms({ maxConcurrent: 2, deadlineMs: 600, maxAttempts: 1 });
    const started = performance.now();
    const reasons = await Promise.all(Array.from({ length: 6 }, () => reasonOf(signer.sign(server.keyArn, digest))));
    expect(performance.now() - started).toBeLessThan(1_200);
    expect(reasons.filter((reason) => reason === 'timeout').length).toBeGreaterThanOrEqual(2);
    expect(reasons.every((reason) => reason === 'timeout' || reason === 'throttled')).toBe(true);
  });
});

describe('the pause before another attempt', () => {
  it('doubles up to 5 s, longer from the start when KMS throttles', () => {
    expect([1, 2, 3, 9].map((attempt) => pauseMs(attempt, 'server-error', 1))).toEqual([100, 200, 400, 5_000]);
    expect([1, 2, 3, 9].map((attempt) => pauseMs(attempt, 'throttled', 1))).toEqual([500, 1_000, 2_000, 5_000]);
    expect(pauseMs(3, 'throttled', 0)).toBe(0);
  });
});
