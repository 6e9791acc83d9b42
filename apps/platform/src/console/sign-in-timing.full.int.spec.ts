import { listenForPages } from '@constancia/http';
import { freePort, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform, someIp } from '../running-platform.fixture.ts';

/** In CI fewer: 3,000 there would take a minute. */
const SAMPLES = process.env.CI === undefined ? 3_000 : 500;
const TENANTS = 60;
/** The limit above which a difference counts as seen, as dudect has it. */
const LIMIT = 4.5;

let database: TestDatabase;
let platform: RunningPlatform;
let address: string;
let known: string[];
let unknown: string[];

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database, { RATE_LIMIT_SIGN_IN: '1000000', RATE_LIMIT_IP: '1000000' });
  address = `http://127.0.0.1:${await listenForPages(platform.app, await freePort())}/console/session`;
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => testTenant(database)));
  known = tenants.map(({ slug }) => `owner@${slug}.example`);
  unknown = tenants.map(({ slug }) => `nobody@${slug}.example`);
});
afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

async function took(path: string, body: object): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': someIp() },
    body: JSON.stringify(body),
  });
  await response.text();
  return performance.now() - begun;
}

/** Welch's t of two samples, without the slowest twentieth of both together: pauses of the machine. */
function welch(a: number[], b: number[]): number {
  const limit = [...a, ...b].sort((x, y) => x - y)[Math.floor((a.length + b.length) * 0.95)] as number;
  const [x, y] = [a, b].map((samples) => {
    const kept = samples.filter((sample) => sample <= limit);
    const mean = kept.reduce((sum, sample) => sum + sample, 0) / kept.length;
    const variance = kept.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / (kept.length - 1);
    return { mean, error: variance / kept.length };
  }) as [{ mean: number; error: number }, { mean: number; error: number }];
  return (x.mean - y.mean) / Math.sqrt(x.error + y.error);
}

describe('signing in takes as long for an address that nobody has', () => {
  it.each([
    ['the request for a code', '/code', (email: string) => ({ email })],
    ['a wrong code', '', (email: string) => ({ email, code: '000000' })],
  ])(
    '%s',
    async (name, path, bodyFor) => {
      const samples: [number[], number[]] = [[], []];
      for (let i = 0; i < SAMPLES + 200; i++) {
        // Before any address is locked: a code is looked at each time.
        if (i % (TENANTS * 4) === 0)
          await database.query('update platform.sign_in_code set wrong_attempts = 0, locked_until = null');
        // In random order, so that what the machine does meanwhile meets both alike.
        const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
        for (const kind of order as (0 | 1)[]) {
          const email = (kind === 0 ? known : unknown)[i % TENANTS] as string;
          const ms = await took(path, bodyFor(email));
          if (i >= 200) samples[kind].push(ms);
        }
      }
      const t = welch(...samples);
      console.log(`${name}: |t| = ${Math.abs(t).toFixed(2)} over ${SAMPLES} samples each`);
      expect(Math.abs(t)).toBeLessThan(LIMIT);
    },
    180_000,
  );
});
