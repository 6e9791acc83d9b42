import { uuidOf } from '@constancia/kernel';
import { Metrics } from '@constancia/telemetry';
import { testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComparePayments, lastNight } from './compare-payments.ts';
import { type RunningTopups, runningTopups, type TopupAnswer } from './running-topups.fixture.ts';

let running: RunningTopups;
beforeAll(async () => {
  running = await runningTopups({ LOG_LEVEL: 'fatal' });
});
afterAll(() => running?.close());

const job = () => running.platform.app.get(ComparePayments, { strict: false });
const metric = async (begin: string) => {
  const text = await running.platform.app.get(Metrics, { strict: false }).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(begin))
      ?.split(' ')
      .at(-1) ?? 0,
  );
};
const idOf = ({ id }: TopupAnswer) => uuidOf('top', id);
/** As if the top-up were of the day before yesterday, and another night had begun. */
const nextNight = (topup: TopupAnswer) =>
  running.database.query(
    `update platform.topup set created_at = now() - interval '2 days', compared_at = null where id = $1`,
    [idOf(topup)],
  );
const differenceOf = async (topup: TopupAnswer) => {
  const sql = 'select difference from platform.topup where id = $1';
  const [row] = await running.database.query<{ difference: string | null }>(sql, [idOf(topup)]);
  return row?.difference;
};
const balance = async (tenant: TestTenant) =>
  (await running.platform.call<{ available: number }>('/v1/billing/balance', { key: tenant.apiKey })).body.available;

async function paid(): Promise<{ tenant: TestTenant; topup: TopupAnswer; paymentId: string }> {
  const tenant = await testTenant(running.database);
  const topup = await running.create(tenant);
  const { id: paymentId } = running.simulator.pay(topup.preference_id, 'approve');
  await running.callback(paymentId);
  expect(await balance(tenant)).toBe(3_425);
  return { tenant, topup, paymentId };
}

describe('the nightly comparison of payments', () => {
  it('settles and reports a refund that nobody announced, and is content the next night', async () => {
    const { tenant, topup, paymentId } = await paid();
    running.simulator.refund(paymentId);
    await nextNight(topup);
    await job().run();
    expect([await balance(tenant), await differenceOf(topup)]).toEqual([1_000, 'missed_callback']);
    expect(await metric('topup_differences{difference="missed_callback"')).toBe(1);
    await nextNight(topup);
    await job().run();
    expect(await differenceOf(topup)).toBeNull();
  });

  it('compares each top-up once a night, however many processes do it', async () => {
    const { topup } = await paid();
    await nextNight(topup);
    const before = await metric('topups_compared_total');
    await Promise.all([job().run(), job().run(), job().run()]);
    await job().run();
    expect(await metric('topups_compared_total')).toBe(before + 1);
  });

  it('reports a top-up that was paid twice until one payment is given back', async () => {
    const { tenant, topup } = await paid();
    const second = running.simulator.pay(topup.preference_id, 'approve');
    await nextNight(topup);
    await job().run();
    expect([await balance(tenant), await differenceOf(topup)]).toEqual([3_425, 'paid_twice']);
    running.simulator.refund(second.id);
    await running.callback(second.id);
    expect([await balance(tenant), await differenceOf(topup)]).toEqual([3_425, null]);
  });

  it('reports a payment that the provider no longer knows, and takes nothing back for it', async () => {
    const { tenant, topup, paymentId } = await paid();
    running.simulator.book.payments.delete(paymentId);
    await nextNight(topup);
    await job().run();
    expect([await balance(tenant), await differenceOf(topup)]).toEqual([3_425, 'payment_missing']);
  });

  it('reports a top-up that says something else than the ledger', async () => {
    const { topup } = await paid();
    await running.database.query('update platform.topup set applied_credits = applied_credits - 1 where id = $1', [
      idOf(topup),
    ]);
    await nextNight(topup);
    await job().run();
    expect(await differenceOf(topup)).toBe('ledger_drift');
  });

  it.each([
    ['2026-11-24T08:00:00Z', '2026-11-24T08:00:00.000Z'],
    ['2026-11-24T07:59:59Z', '2026-11-23T08:00:00.000Z'],
    ['2026-11-24T04:00:00Z', '2026-11-23T08:00:00.000Z'],
    ['2026-11-25T03:00:00Z', '2026-11-24T08:00:00.000Z'],
  ])('at %s belongs to the night of %s', (now, night) => {
    expect(lastNight(Date.parse(now)).toISOString()).toBe(night);
  });
});
