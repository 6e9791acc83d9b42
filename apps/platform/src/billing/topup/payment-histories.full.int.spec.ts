import { afterAll, beforeAll, expect, it } from 'vitest';
import { overCredited, randomHistories, storedSums, wrongTopups } from './payment-histories.fixture.ts';
import { type RunningTopups, runningTopups } from './running-topups.fixture.ts';

const HISTORIES = process.env.CI === undefined ? 5_000 : 1_000;

let running: RunningTopups;
beforeAll(async () => {
  running = await runningTopups({ RATE_LIMIT_TENANT: '1000000', LOG_LEVEL: 'fatal' });
});
afterAll(() => running?.close());

it(
  `${HISTORIES} random histories of payments end with the balance that the payments are worth, and no credit twice`,
  { timeout: 900_000 },
  async () => {
    const outcome = await randomHistories(running, HISTORIES, 20_261_124);
    const { topups, ...sums } = await storedSums(running, outcome);
    const { histories, callbacks, forged, stale, lost, expected } = outcome;
    console.log(JSON.stringify({ histories, callbacks, forged, stale, lost, expected, ...sums }));
    expect(sums).toEqual({ balance: expected, ledger: expected, applied: expected, credited: expected });
    expect(wrongTopups(outcome, topups)).toEqual([]);
    expect(await overCredited(running)).toEqual([]);
    expect(await running.database.query('select * from platform.verify_ledger(null)')).toEqual([]);
    expect([callbacks, forged, stale, lost].every((count) => count > HISTORIES / 20)).toBe(true);
  },
);
