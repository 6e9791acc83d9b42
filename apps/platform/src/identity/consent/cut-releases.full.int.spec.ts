import { createHash } from 'node:crypto';
import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { cutTransaction, type Moment, testDatabase, type TestDatabase, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser, REDIRECT, RunningOpenId } from '../oidc/openid.fixture.ts';
import { Decision } from './decision.fixture.ts';

let store: TestDatabase;
let running: RunningOpenId;
let ledger: Database;
let walletId: string;

beforeAll(async () => {
  store = await testDatabase();
  running = await RunningOpenId.start(store);
  ledger = await Database.connect({ url: store.app('platform'), applicationName: 'test' });
  walletId = await running.wallet();
  running.person = { walletId };
});
afterAll(async () => {
  await ledger?.close();
  await running?.close();
  await store?.drop();
});

/** Everything that a release changes, and whether the tenant's ledger agrees with its balance. */
async function factsOf({ id: tenantId }: TestTenant): Promise<Record<string, unknown>> {
  const [row] = await store.query(
    `select array(select kind || ' ' || amount from platform.credit_entry where tenant_id = $1 order by seq) as entries,
            array(select status::text from platform.credit_hold where tenant_id = $1) as holds,
            array(select available || ' + ' || held from platform.credit_account where tenant_id = $1) as balance,
            array(select event_type from platform.event where tenant_id = $1 order by event_type) as events,
            array(select kyc_status::text from identity.subject where tenant_id = $1) as subjects,
            array(select status::text || ' ' || coalesce(hold_id::text, '') from identity.wallet_presentation where tenant_id = $1) as requests,
            array(select verification_id from identity.oidc_release where tenant_id = $1) as releases,
            (select count(*)::int from identity.oidc_grant_release where tenant_id = $1) as grants,
            (select count(*)::int from identity.wallet_consent where kind = 'share') as consents`,
    [tenantId],
  );
  return { ...row, problems: await new LedgerReader(ledger).verify(tenantId) };
}

/** What is done, and done again after the cut. A new one for each cut. */
interface Release {
  tenant: TestTenant;
  run: () => Promise<unknown>;
  /** What there is once it is done, as far as it is not what was there before. */
  whole: Record<string, unknown>;
  /** How many consents a person gives who answers again what was answered: a request has one, each sign-in its own. */
  consentsOfRepeat: 0 | 1;
}

async function approval(): Promise<Release> {
  const tenant = await running.tenant(100);
  const decision = await Decision.open({ platform: running.platform, store, tenantId: tenant.id, walletId });
  const whole = {
    entries: ['grant 100', 'hold -32', 'capture 0'],
    ...{ holds: ['captured'], balance: ['68 + 0'], subjects: ['approved'] },
    requests: [expect.stringMatching(/^approved /) as unknown],
    events: expect.arrayContaining(['subject.verified', 'wallet.presentation.approved']) as unknown,
  };
  return { tenant, run: () => decision.approve(), whole, consentsOfRepeat: 0 };
}

async function signIn(): Promise<Release> {
  const tenant = await running.tenant(100);
  const { id } = await running.client(tenant);
  const browser = new Browser(running);
  const address = new URL('/v1/oidc/authorize', running.issuer);
  address.search = new URLSearchParams({
    ...{ client_id: id, redirect_uri: REDIRECT, response_type: 'code', scope: 'openid kyc', state: 's', nonce: 'n' },
    ...{ code_challenge_method: 'S256', code_challenge: createHash('sha256').update('v').digest('base64url') },
  }).toString();
  const run = async () => {
    const answer = await browser.open(address.href);
    if (answer instanceof Response) throw new Error(`${answer.status}`);
    expect(answer.searchParams.get('code')).not.toBeNull();
  };
  const releases = [expect.any(String) as unknown];
  const whole = { entries: ['grant 100', 'debit -32'], balance: ['68 + 0'], releases };
  return { tenant, run, whole, consentsOfRepeat: 1 };
}

const consentsIn = (facts: Record<string, unknown>) => facts.consents as number;

async function survivesCut(begin: () => Promise<Release>, nth: number, moment: Moment, committed: boolean) {
  const { tenant, run, whole, consentsOfRepeat } = await begin();
  const before = await factsOf(tenant);
  await cutTransaction(store, () => expect(run()).rejects.toThrow(), { nth, moment });
  const left = await factsOf(tenant);
  if (committed) expect(left).toMatchObject(whole);
  else expect(left).toEqual(before);
  await run();
  const after = await factsOf(tenant);
  expect(after).toMatchObject(whole);
  expect(after.problems).toEqual([]);
  const events = after.events as string[];
  expect(events).toHaveLength(new Set(events).size);
  expect(consentsIn(after)).toBe(consentsIn(left) + (committed ? consentsOfRepeat : 1));
}

it.each([
  ['an approved presentation', approval],
  ['verified_claims that are paid', signIn],
])(
  '%s is there as a whole or not at all, at whichever statement the process ends, and costs once',
  async (_what, begin) => {
    const { run } = await begin();
    const statements = await cutTransaction(store, run);
    expect(statements.at(-1)).toBe('COMMIT');
    for (const nth of statements.keys()) await survivesCut(begin, nth, 'before', false);
    await survivesCut(begin, statements.length - 1, 'after', true);
  },
  60_000,
);
