import { uuidOf } from '@constancia/kernel';
import { testTenant, type TestTenant } from '@constancia/testing';
import { CheckPending } from './check-pending.ts';
import { ComparePayments } from './compare-payments.ts';
import type { RunningTopups, TopupAnswer } from './running-topups.fixture.ts';

/** A generator of repeatable random numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Outcome {
  histories: number;
  callbacks: number;
  forged: number;
  stale: number;
  lost: number;
  /** Of all tenants: what an independent count of what happened to the payments says. */
  expected: number;
  tenants: { tenant: TestTenant; expected: number; topups: { topup: TopupAnswer; expected: number }[] }[];
}

type Kind = 'paid' | 'mismatch' | 'rejected' | 'rejected_then_paid' | 'pending_then_paid' | 'unpaid' | 'paid_twice';
const KINDS: Kind[] = [
  'paid',
  'paid',
  'paid',
  'paid',
  'mismatch',
  'rejected',
  'rejected_then_paid',
  'pending_then_paid',
  'unpaid',
  'paid_twice',
];

/**
 * Lets random things happen to random payments, and random callbacks arrive about them: in another order, several times, at once, late,
 * forged, or never. Then the two jobs of reconciliation run.
 */
export async function randomHistories(running: RunningTopups, histories: number, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number) => random() < share;
  const outcome: Outcome = { histories, callbacks: 0, forged: 0, stale: 0, lost: 0, expected: 0, tenants: [] };
  const tenants = await Promise.all(Array.from({ length: 40 }, () => testTenant(running.database, { credits: 0 })));
  outcome.tenants = tenants.map((tenant) => ({ tenant, expected: 0, topups: [] }));
  /** Callbacks that still wait to be sent: they arrive whenever it pleases them. */
  const waiting: (() => Promise<unknown>)[] = [];

  const deliver = async (share: number): Promise<void> => {
    const now = waiting.filter(() => chance(share));
    for (const one of now) waiting.splice(waiting.indexOf(one), 1);
    for (let at = now.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [now[at], now[other]] = [now[other] as () => Promise<unknown>, now[at] as () => Promise<unknown>];
    }
    await Promise.all(now.map((send) => send()));
  };

  const announce = (paymentId: string): void => {
    if (chance(0.2)) return void outcome.lost++;
    const copies = chance(0.3) ? 1 + Math.floor(random() * 4) : 1;
    const faults = { unit: pick(['s', 'ms']), letter_case: pick(['received', 'lower', 'upper']) };
    const stale = chance(0.1);
    const at = stale ? Date.now() - 86_400_000 : Date.now();
    for (let copy = 0; copy < copies; copy++) {
      outcome.callbacks++;
      if (stale) outcome.stale++;
      waiting.push(() => running.callback(paymentId, { faults, at }));
    }
    if (chance(0.3)) {
      outcome.forged++;
      waiting.push(async () => {
        const status = await running.callback(paymentId, { secret: 'the-secret-of-a-forger' });
        if (status !== 401) throw new Error(`a forged callback was answered ${status}`);
      });
    }
  };

  /** What happens to a payment that was made; answers the share of it that is left, in pesos of the amount. */
  const live = (paymentId: string, amount: number): number => {
    const { simulator } = running;
    let left = amount;
    let disputed = false;
    for (let steps = Math.floor(random() * 4); steps > 0; steps--) {
      const what = pick(['refund', 'part', 'dispute_won', 'dispute_lost', 'dispute_open']);
      if (disputed || left === 0) break;
      if (what === 'refund') {
        simulator.refund(paymentId);
        left = 0;
      } else if (what === 'part') {
        const part = Math.min(left, 1_000 + Math.floor(random() * amount));
        simulator.refund(paymentId, part);
        left -= part;
      } else {
        disputed = true;
        simulator.act(paymentId, 'dispute');
        announce(paymentId);
        if (what === 'dispute_lost') {
          simulator.act(paymentId, 'lose');
          left = 0;
        }
        if (what === 'dispute_won') {
          if (chance(0.5)) simulator.act(paymentId, 'lose');
          if (chance(0.5)) announce(paymentId);
          simulator.act(paymentId, 'win');
        }
      }
      announce(paymentId);
    }
    return left;
  };

  const one = async (): Promise<void> => {
    const owner = pick(outcome.tenants);
    const amount = 20_000 + Math.floor(random() * 500_000);
    const topup = await running.create(owner.tenant, { amount_cop: amount });
    const { simulator } = running;
    const pay = (...[as, options]: [as: 'approve' | 'pending' | 'reject', options?: { amount: number }]) => {
      const payment = simulator.pay(topup.preference_id, as, { lettersInId: true, ...options });
      announce(payment.id);
      return payment.id;
    };
    const worth = (left: number) => Math.floor((topup.amount_credits * left) / amount);
    const kind = pick(KINDS);
    let expected = 0;
    if (kind === 'mismatch') pay('approve', { amount: amount + pick([-1, 1, 1_000]) });
    if (kind === 'rejected' || kind === 'rejected_then_paid') pay('reject');
    if (kind === 'paid' || kind === 'rejected_then_paid') expected = worth(live(pay('approve'), amount));
    if (kind === 'pending_then_paid') {
      const payment = pay('pending');
      await deliver(0.3);
      simulator.act(payment, 'confirm');
      announce(payment);
      expected = worth(live(payment, amount));
    }
    if (kind === 'paid_twice') {
      const [first, second] = [live(pay('approve'), amount), live(pay('approve'), amount)];
      expected = Math.max(worth(first), worth(second));
    }
    owner.topups.push({ topup, expected });
    owner.expected += expected;
    outcome.expected += expected;
  };

  for (let done = 0; done < histories; done += 20) {
    await Promise.all(Array.from({ length: Math.min(20, histories - done) }, one));
    await deliver(0.6);
  }
  await deliver(0.7); // what waits still has been lost
  outcome.lost += waiting.length;
  await reconcile(running);
  return outcome;
}

/** Makes every look at the provider due, and lets both jobs run in two processes at once. */
export async function reconcile({ database, platform }: RunningTopups): Promise<void> {
  await database.query(`update platform.topup set check_at = now() where check_at is not null`);
  await database.query(`update platform.topup set created_at = created_at - interval '2 days', compared_at = null`);
  const [check, compare] = [CheckPending, ComparePayments].map((job) => platform.app.get(job, { strict: false }));
  await Promise.all([check?.run(), check?.run()]);
  await Promise.all([compare?.run(), compare?.run()]);
}

export interface Sums {
  balance: number;
  ledger: number;
  applied: number;
  credited: number;
}

/** What the store has, in all and per top-up. */
export async function storedSums(
  running: RunningTopups,
  outcome: Outcome,
): Promise<Sums & { topups: Map<string, number> }> {
  const ids = outcome.tenants.map(({ tenant }) => tenant.id);
  const [sums] = await running.database.query<Sums>(
    `select (select sum(available)::bigint from platform.credit_account where tenant_id = any ($1)) as balance,
            (select coalesce(sum(amount), 0)::bigint from platform.credit_entry where tenant_id = any ($1)) as ledger,
            (select coalesce(sum(applied_credits), 0)::bigint from platform.topup where tenant_id = any ($1)) as applied,
            (select coalesce(sum(case when event_type = 'credits.balance.credited' then 1 else -1 end
                     * (body::jsonb #>> '{payload,amount_credits}')::bigint), 0)::bigint
               from platform.event where tenant_id = any ($1) and module = 'billing') as credited`,
    [ids],
  );
  const rows = await running.database.query<{ id: string; applied: number }>(
    'select id, applied_credits as applied from platform.topup where tenant_id = any ($1)',
    [ids],
  );
  return { ...(sums as Sums), topups: new Map(rows.map(({ id, applied }) => [id, applied])) };
}

/** Top-ups whose credits are not those that their history says. */
export function wrongTopups(outcome: Outcome, stored: Map<string, number>): string[] {
  return outcome.tenants.flatMap(({ topups }) =>
    topups
      .filter(({ topup, expected }) => stored.get(uuidOf('top', topup.id) ?? '') !== expected)
      .map(({ topup, expected }) => `${topup.id}: ${stored.get(uuidOf('top', topup.id) ?? '')} instead of ${expected}`),
  );
}

/** Top-ups that were credited more than they are worth at any moment of their history: none, whatever arrives. */
export function overCredited(running: RunningTopups): Promise<object[]> {
  return running.database.query(
    `select t.id from platform.topup t
       join (select ref_id, max(running) as most
               from (select ref_id, sum(amount) over (partition by ref_id order by seq) as running
                       from platform.credit_entry where ref_type = 'topup') e group by ref_id) e on e.ref_id = t.id
      where e.most > t.amount_credits`,
  );
}
