import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listenForOperators } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import type { OpsServer } from '@constancia/telemetry';
import { checkedFetch, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PaymentProvider } from '../billing/provider/payment-provider.ts';
import { type RunningTopups, runningTopups, type TopupAnswer } from '../billing/topup/running-topups.fixture.ts';
import { RepeatRefunds } from './repeat-refunds.ts';

/** Bea approves; every test has a requester of its own, whose limit starts at nothing. */
const REQUESTERS = ['ana', 'carla', 'dora', 'elsa', 'fanny', 'gloria', 'hilda', 'irene', 'julia', 'karen'];
const tokenOf = (name: string) => `token-of-${name}-with-enough-characters`;

let running: RunningTopups;
let folder: string;
let ops: OpsServer;
let tenant: TestTenant;
let requester: string;

beforeAll(async () => {
  running = await runningTopups({ OPS_GRANT_LIMIT: '6000', LOG_LEVEL: 'fatal' });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refunds-'));
  const tokensFile = path.join(folder, 'operators.json');
  const entries = ['bea', ...REQUESTERS].map((name) => ({
    name,
    sha256: createHash('sha256').update(tokenOf(name)).digest('hex'),
    roles: ['read', 'act', 'grant'],
  }));
  fs.writeFileSync(tokensFile, JSON.stringify(entries));
  ops = await listenForOperators(running.platform.app, { tokensFile });
});
afterAll(async () => {
  await ops?.close();
  await running?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  tenant = await testTenant(running.database);
  requester = REQUESTERS.pop() as string;
});

type Answer = { status: number; body: Record<string, unknown> };
async function as(name: string, method: string, where: string, body?: object): Promise<Answer> {
  const origin = `http://127.0.0.1:${ops.port}`;
  const response = await checkedFetch({ ops: origin })(`${origin}/ops${where}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(name)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const refund = ({ id }: Pick<TopupAnswer, 'id'>, body: object = {}) =>
  as(requester, 'POST', `/topups/${id}/refund`, { reason: 'ticket 12', ...body });
const balance = async () =>
  (await running.platform.call<{ available: number }>('/v1/billing/balance', { key: tenant.apiKey })).body.available;
const refundedAt = (paymentId: string) => running.simulator.book.payments.get(paymentId)?.transaction_amount_refunded;

/** A top-up of so many pesos that is paid; 100,000 COP are 2,425 credits. */
async function paid(amountCop = 100_000) {
  const topup = await running.create(tenant, { amount_cop: amountCop });
  const { id: paymentId } = running.simulator.pay(topup.preference_id, 'approve');
  await running.callback(paymentId);
  return { topup, paymentId };
}
const idIn = ({ body }: Answer) => (body.pending as { id: string }).id;

describe('a refund by an operator', () => {
  it('gives the money back at the provider and reverses the credits, once however often it is repeated', async () => {
    const { topup, paymentId } = await paid();
    expect(await balance()).toBe(3_425);
    const answers = await Promise.all([refund(topup), refund(topup), refund(topup)]);
    const last = await refund(topup);
    for (const { status, body } of [...answers, last]) {
      expect([status, body]).toMatchObject([
        200,
        { refund: { amount_cop: 100_000, payment_id: paymentId, credits: 2_425 } },
      ]);
    }
    expect(last.body).toMatchObject({ topup_status: 'reversed', available: 1_000, refund: { status: 'done' } });
    expect([refundedAt(paymentId), await balance()]).toEqual([100_000, 1_000]);
    const acts = (await as('bea', 'GET', '/audit?limit=500')).body.data as { type: string; data: object }[];
    const own = acts.filter(({ data }) => JSON.stringify(data).includes(topup.id));
    expect(own).toMatchObject([{ type: 'topup.refunded', data: { reason: 'ticket 12', amount_cop: 100_000 } }]);
  });

  it('of a part reverses a part; another part needs another reference, and not more than is left is given back', async () => {
    const { topup, paymentId } = await paid();
    const part = await refund(topup, { amount_cop: 40_000 });
    expect([part.status, part.body]).toMatchObject([200, { topup_status: 'part_reversed', available: 2_455 }]);
    expect((await refund(topup, { amount_cop: 40_000 })).status).toBe(200);
    const other = await refund(topup, { amount_cop: 10_000 });
    expect([other.status, other.body.error]).toEqual([409, expect.stringContaining('give another reference')]);
    const tooMuch = await refund(topup, { amount_cop: 60_001, reference: 'T-2' });
    expect([tooMuch.status, tooMuch.body.error]).toEqual([409, expect.stringContaining('has 60000 COP left')]);
    expect((await refund(topup, { reference: 'T-3' })).body).toMatchObject({ topup_status: 'reversed' });
    expect([refundedAt(paymentId), await balance()]).toEqual([100_000, 1_000]);
  });

  it('that the provider did not answer is sent again by the same request, and happens once', async () => {
    const { topup, paymentId } = await paid();
    const provider = running.platform.app.get(PaymentProvider, { strict: false });
    const real = provider.refund.bind(provider);
    provider.refund = async (...args) => {
      await real(...args);
      throw new Error('the connection was cut after the provider had done it');
    };
    try {
      expect((await refund(topup)).status).toBe(500);
    } finally {
      provider.refund = real;
    }
    const waiting = (await as('bea', 'GET', '/topup-refunds')).body.data;
    expect(waiting).toMatchObject([{ topup_id: topup.id, status: 'sending' }]);
    const meanwhile = await refund(topup, { reference: 'T-9', amount_cop: 1 });
    expect(meanwhile.status).toBe(409);
    expect((await refund(topup)).body).toMatchObject({ topup_status: 'reversed', refund: { status: 'done' } });
    expect([refundedAt(paymentId), await balance()]).toEqual([100_000, 1_000]);
  });

  it.each([
    ['before the provider was asked', false],
    ['after the provider had done it', true],
  ])('whose process ended %s is sent again by a sweep, and happens once', async (_, done) => {
    const { topup, paymentId } = await paid();
    const provider = running.platform.app.get(PaymentProvider, { strict: false });
    const real = provider.refund.bind(provider);
    provider.refund = async (...args) => {
      if (done) await real(...args);
      throw new Error('the process ended');
    };
    try {
      expect((await refund(topup)).status).toBe(500);
    } finally {
      provider.refund = real;
    }
    const sweep = running.platform.app.get(RepeatRefunds, { strict: false });
    await sweep.run(); // its process may still be sending it
    const topupId = uuidOf('top', topup.id);
    const status = async () =>
      (await running.database.query('select status from platform.topup_refund where topup_id = $1', [topupId]))[0];
    expect(await status()).toEqual({ status: 'sending' });
    await running.database.query(
      `update platform.topup_refund set requested_at = now() - interval '121 s' where topup_id = $1`,
      [topupId],
    );
    await Promise.all([sweep.run(), sweep.run()]);
    expect(await status()).toEqual({ status: 'done' });
    expect([refundedAt(paymentId), await balance()]).toEqual([100_000, 1_000]);
  });

  it('names the payment when a top-up was paid twice, and takes no credits for the second one', async () => {
    const { topup } = await paid();
    const second = running.simulator.pay(topup.preference_id, 'approve');
    await running.callback(second.id);
    const unnamed = await refund(topup);
    expect([unnamed.status, unnamed.body.error]).toEqual([409, expect.stringContaining('say which one')]);
    const named = await refund(topup, { payment_id: second.id });
    expect([named.status, named.body]).toMatchObject([200, { topup_status: 'credited', available: 3_425 }]);
    expect(refundedAt(second.id)).toBe(100_000);
  });

  it('of what is no top-up, was not paid, or without a reason is refused', async () => {
    expect((await refund({ id: 'top_00000000000000000000000000' })).status).toBe(404);
    const unpaid = await running.create(tenant);
    expect((await refund(unpaid)).status).toBe(409);
    for (const body of [{ amount_cop: 0 }, { amount_cop: 1.5 }, { reason: ' ' }, { cents: 1 }]) {
      expect([body, (await refund(unpaid, body)).status]).toEqual([body, 400]);
    }
  });
});

describe('a refund above the limit of one operator', () => {
  it('waits for another one, together with what was given back before', async () => {
    const first = await paid(200_000); // 4,850 credits
    expect((await refund(first.topup)).status).toBe(200);
    const { topup, paymentId } = await paid();
    const asked = await refund(topup);
    expect([asked.status, asked.body.pending]).toMatchObject([202, { status: 'pending', requested_by: requester }]);
    expect([refundedAt(paymentId), await balance()]).toEqual([0, 3_425]);
    const approve = (name: string) => as(name, 'POST', `/topup-refunds/${idIn(asked)}/approve`, { reason: 'seen' });
    expect((await approve(requester)).status).toBe(403);
    const approvals = await Promise.all([approve('bea'), approve('bea')]);
    expect(approvals.map(({ status }) => status).sort()).toEqual(expect.arrayContaining([200]));
    expect((await approve('bea')).body).toMatchObject({ topup_status: 'reversed', refund: { ended_by: 'bea' } });
    expect([refundedAt(paymentId), await balance()]).toEqual([100_000, 1_000]);
  });

  it('gives nothing back once it is withdrawn, and can be asked for again', async () => {
    const { topup, paymentId } = await paid(300_000);
    const asked = await refund(topup);
    const withdrawn = await as(requester, 'POST', `/topup-refunds/${idIn(asked)}/withdraw`, { reason: 'wrong one' });
    expect([withdrawn.status, withdrawn.body.status]).toEqual([200, 'withdrawn']);
    expect((await as('bea', 'POST', `/topup-refunds/${idIn(asked)}/approve`, { reason: 'seen' })).status).toBe(409);
    expect(refundedAt(paymentId)).toBe(0);
    expect((await refund(topup)).status).toBe(202);
  });
});
