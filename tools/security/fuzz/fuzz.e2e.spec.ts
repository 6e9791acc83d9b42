import { afterAll, beforeAll, expect, it } from 'vitest';
import { described, FuzzRun } from './fuzz-run.ts';
import { brokenLedger, type FuzzStack, startFuzzStack } from './fuzz-stack.ts';
import { documentedOperations } from './operations.ts';

/** The short form; the long one: npm run fuzz -- --minutes N --seed S. */
const FIXED = 20_261_121;
const RANDOM = Math.floor(Math.random() * 2 ** 31);
const EACH_MS = 10_000;

let fuzz: FuzzStack;

beforeAll(async () => {
  fuzz = await startFuzzStack();
});
afterAll(() => fuzz?.close());

it.each([
  ['a fixed seed', FIXED],
  ['a random seed', RANDOM],
])('no request that the documents make thinkable breaks a promise: %s', { timeout: 300_000 }, async (_, seed) => {
  console.log(`seed ${seed}`);
  const report = await new FuzzRun({ seed, timeMs: EACH_MS, caller: fuzz.caller }).run();
  expect(report.findings.map(described), `seed ${seed}`).toEqual([]);
  expect(report.statuses.size).toBe(new Set(documentedOperations().map(({ operationId }) => operationId)).size);
  const succeeded = [...report.statuses.values()].filter((statuses) =>
    [...statuses.keys()].some((one) => one > 0 && one < 300),
  );
  expect(succeeded.length, 'operations that were reached').toBeGreaterThan(55);
});

it('and the ledger holds after all that', async () => {
  expect(await brokenLedger(fuzz.stack)).toEqual([]);
});
