import { afterAll, beforeAll, expect, it } from 'vitest';
import { described, FuzzRun } from './fuzz-run.ts';
import { brokenLedger, type FuzzStack, startFuzzStack } from './fuzz-stack.ts';
import { documentedOperations } from './operations.ts';

/** The short form, the same each time; the long one, with seeds of its own: npm run fuzz -- --minutes N --seed S. */
const SEEDS = [20_261_121, 7];
const EACH = { rounds: 1, timeMs: 60_000 };

let fuzz: FuzzStack;
/** By both seeds together: the second finds a tenant that the first has used up. */
const reached = new Set<string>();

beforeAll(async () => {
  fuzz = await startFuzzStack();
});
afterAll(() => fuzz?.close());

it.each(SEEDS)(
  'no request that the documents make thinkable breaks a promise: seed %i',
  { timeout: 300_000 },
  async (seed) => {
    const report = await new FuzzRun({ ...EACH, seed, caller: fuzz.caller }).run();
    expect(report.findings.map(described), `seed ${seed}`).toEqual([]);
    expect(report.statuses.size).toBe(new Set(documentedOperations().map(({ operationId }) => operationId)).size);
    for (const [operationId, statuses] of report.statuses) {
      if ([...statuses.keys()].some((status) => status > 0 && status < 300)) reached.add(operationId);
    }
    expect(reached.size, 'operations that were reached so far').toBeGreaterThan(55);
  },
);

it('and the ledger holds after all that', async () => {
  expect(await brokenLedger(fuzz.stack)).toEqual([]);
});
