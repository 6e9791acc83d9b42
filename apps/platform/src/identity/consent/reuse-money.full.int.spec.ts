import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { Decision } from './decision.fixture.ts';

const ANA = 'ana.ruiz@correo.example.co';
const ROUNDS = 200;
const HISTORIES = process.env.CI === undefined ? 5_000 : 1_000;

let store: TestDatabase;
let wallets: RunningWallets;
let walletId: string;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ walletId } = await wallets.keeper(documentOf('approve'), ANA));
  tenant = await testTenant(store, { credits: 1_000_000 });
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

const open = () => Decision.open({ platform: wallets.platform, store, tenantId: tenant.id, walletId });

async function ledger() {
  const database = await Database.connect({ url: store.app('platform'), applicationName: 'test' });
  const reader = new LedgerReader(database);
  const [problems, balance] = [await reader.verify(tenant.id), await reader.balance(tenant.id)];
  await database.close();
  return { problems, balance };
}

async function counts() {
  const [row] = await store.query<
    Record<'captures' | 'approved' | 'verified' | 'announced' | 'consents' | 'subjects' | 'pending', string>
  >(
    `select (select count(*) from platform.credit_entry where tenant_id = $1 and kind = 'capture') as captures,
            (select count(*) from identity.wallet_presentation where tenant_id = $1 and status = 'approved') as approved,
            (select count(*) from identity.wallet_presentation where tenant_id = $1 and status = 'pending') as pending,
            (select count(*) from platform.event where tenant_id = $1 and event_type = 'subject.verified') as verified,
            (select count(*) from platform.event where tenant_id = $1 and event_type = 'wallet.presentation.approved') as announced,
            (select count(*) from identity.subject where tenant_id = $1 and kyc_status = 'approved') as subjects,
            (select count(*) from identity.wallet_consent where kind = 'share') as consents`,
    [tenant.id],
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

/** Everything that one approval makes, as often as there were approvals. */
async function expectWhole(approvals: number): Promise<void> {
  const n = approvals;
  expect(await counts()).toMatchObject({
    captures: n,
    approved: n,
    verified: n,
    announced: n,
    subjects: n,
    consents: n,
  });
  const { problems, balance } = await ledger();
  expect(problems).toEqual([]);
  expect(balance).toEqual({ available: 1_000_000 - 32 * n - balance.held, held: 32 * ((await counts()).pending ?? 0) });
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let approvals = 0;

describe('what an approval makes', () => {
  it('is made once, however many approve at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const decision = await open();
      const results = await Promise.allSettled(Array.from({ length: 16 }, () => decision.approve()));
      expect(results.every(({ status }) => status === 'fulfilled')).toBe(true); // each gets the one answer
      approvals += 1;
    }
    await expectWhole(approvals);
  }, 240_000);

  it('is made whole or not at all, at whichever statement the transaction fails', async () => {
    const tables = ['wallet_presentation', 'subject', 'wallet_consent'].map((table) => `identity.${table}`);
    for (const table of [
      ...tables,
      'platform.event',
      'platform.credit_entry',
      'platform.credit_hold',
      'platform.credit_account',
    ]) {
      const decision = await open();
      await store.query(
        `create or replace function public.fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
      );
      await store.query(
        `create trigger broken before insert or update on ${table} for each row execute function public.fail()`,
      );
      await expect(decision.approve(), table).rejects.toThrow();
      await store.query(`drop trigger broken on ${table}`);
      await expectWhole(approvals);
      await decision.approve();
      approvals += 1;
      await expectWhole(approvals);
    }
  }, 60_000);

  it('agrees with the ledger after any history of approvals, refusals, cancellations, ends and repetitions at once', async () => {
    const random = seeded(20_261_126);
    for (let history = 0; history < HISTORIES; history += 1) {
      const decision = await open();
      const actions = [
        () => decision.approve(),
        () => decision.decline(random() < 0.5),
        () => decision.cancel(),
        () => decision.expire(),
      ];
      const chosen = Array.from(
        { length: 2 + Math.floor(random() * 4) },
        () => actions[Math.floor(random() * actions.length)] as () => Promise<unknown>,
      );
      await Promise.allSettled(chosen.map((act) => act()));
      const facts = await decision.facts();
      expect([facts?.status, facts?.held]).toEqual([
        facts?.status,
        { approved: 'captured', pending: 'held' }[facts?.status ?? ''] ?? 'released',
      ]);
      if (facts?.status === 'approved') approvals += 1;
    }
    await expectWhole(approvals);
  }, 240_000);
});
