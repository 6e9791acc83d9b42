import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Idempotency, KeyReusedError, requestFingerprint, RequestStillRunningError } from '@constancia/idempotency';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database, sqlState } from '@constancia/persistence';
import {
  bundled,
  testDatabase,
  type TestDatabase,
  testTemplate,
  testTenant,
  type TestTenant,
  TEST_SECRETS_KEY,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChargedWork } from './charged-work.ts';
import type { WorkUnit } from './work-unit.ts';
import { allowCommit } from './commit-work.ts';
import { CreditLedger, LedgerReader } from './credit-ledger.ts';
import { HoldSettledError, InsufficientCreditsError } from './errors.ts';

let store: TestDatabase;
let signing: Database;
let platform: Database;
let identity: Database;
/** As the schema's own functions run: only they may lock accounts. */
let signingOwner: Database;
let work: ChargedWork;
let reader: LedgerReader;
const ledger = new CreditLedger();

beforeAll(async () => {
  store = await testDatabase();
  signing = await Database.connect({ url: store.app('signing'), applicationName: 'ledger-test', poolSize: 8 });
  platform = await Database.connect({ url: store.app('platform'), applicationName: 'ledger-test' });
  identity = await Database.connect({ url: store.app('identity'), applicationName: 'ledger-test' });
  signingOwner = await Database.connect({ url: store.owner('signing'), applicationName: 'ledger-test' });
  work = new ChargedWork(signing, 'signing', new Idempotency('signing', SecretBox.fromText(TEST_SECRETS_KEY)));
  reader = new LedgerReader(platform);
});
afterAll(async () => {
  await signing.close();
  await platform.close();
  await identity.close();
  await signingOwner.close();
  await store.drop();
});

/** A tenant with a template of the same id, which its requests are for. */
async function tenantWithTemplate(database: TestDatabase, options?: { credits?: number }): Promise<TestTenant> {
  const tenant = await testTenant(database, options);
  await testTemplate(database, tenant.id, tenant.id);
  return tenant;
}

/** A signature request as a unit of work: one record, one debit. */
function unitOf(
  tenantId: string,
  options: { amount?: number; key?: string; id?: string; subject?: string } = {},
): WorkUnit {
  const id = options.id ?? uuidv7();
  const subject = options.subject ?? 'someone';
  return {
    tenantId,
    writes: [
      {
        table: 'signature_request',
        rows: [
          { id, template_id: tenantId, subject_ref: subject, merge_data: {}, status: 'pending', credits_debited: 40 },
        ],
      },
    ],
    debit: { module: 'seal', refType: 'signature_request', refId: id, amount: options.amount ?? 40 },
    ...(options.key && {
      idempotency: {
        key: options.key,
        fingerprint: requestFingerprint({ method: 'POST', route: '/v1/signatures', body: { subject } }),
        response: { status: 202, headers: {}, body: `{"id":"${id}"}` },
      },
    }),
  };
}

function signal() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const recordsOf = (tenantId: string) =>
  store.query<{ id: string }>('select id from signing.signature_request where tenant_id = $1', [tenantId]);
const entriesOf = (tenantId: string) =>
  store.query<{ kind: string; amount: number; ref_id: string; seq: number; balance_after: number }>(
    'select kind, amount::int, ref_id, seq::int, balance_after::int from platform.credit_entry where tenant_id = $1 order by seq',
    [tenantId],
  );
const soundLedger = async () => expect(await reader.verify()).toEqual([]);

describe('charged work', () => {
  it('commits record and debit together', async () => {
    const tenant = await tenantWithTemplate(store);
    expect(await work.commit(unitOf(tenant.id))).toBeNull();
    expect(await recordsOf(tenant.id)).toHaveLength(1);
    expect(await reader.balance(tenant.id)).toEqual({ available: 960, held: 0 });
    await soundLedger();
  });

  it('keeps neither record nor stored answer when the balance is too low, and the key works after a top-up', async () => {
    const tenant = await tenantWithTemplate(store, { credits: 39 });
    const key = crypto.randomUUID();
    await expect(work.commit(unitOf(tenant.id, { key }))).rejects.toBeInstanceOf(InsufficientCreditsError);
    expect(await recordsOf(tenant.id)).toEqual([]);
    await store.query('select platform_v1.grant_credits($1, 1, $2, $3, null)', [tenant.id, 'test', uuidv7()]);
    expect(await work.commit(unitOf(tenant.id, { key }))).toBeNull();
    expect((await reader.balance(tenant.id)).available).toBe(0);
    await soundLedger();
  });

  it('lets exactly as many of 100 parallel units pass as the balance pays for, small ones after a large one too', async () => {
    const tenant = await tenantWithTemplate(store, { credits: 1000 });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => work.commit(unitOf(tenant.id))));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(25);
    expect(await recordsOf(tenant.id)).toHaveLength(25);
    const [busy, other] = [await tenantWithTemplate(store), await tenantWithTemplate(store, { credits: 50 })];
    const before = [1, 2].map(() => work.commit(unitOf(busy.id))); // the next ones share a batch, in which they come in order
    const mixed = await Promise.allSettled([60, 40, 20, 8].map((amount) => work.commit(unitOf(other.id, { amount }))));
    expect(mixed.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    await Promise.all(before);
    await soundLedger();
  });

  it('answers a repeated key with the first answer, without a second debit or record', async () => {
    const tenant = await tenantWithTemplate(store);
    const key = crypto.randomUUID();
    const units = Array.from({ length: 40 }, () => unitOf(tenant.id, { key }));
    const answers = await Promise.all(units.map((unit) => work.commit(unit)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    const winner = units[answers.indexOf(null)]?.idempotency?.response.body;
    expect(new Set(answers.filter((answer) => answer !== null).map((answer) => answer.body))).toEqual(
      new Set([winner]),
    );
    expect(await recordsOf(tenant.id)).toHaveLength(1);
    expect((await reader.balance(tenant.id)).available).toBe(960);
  });

  it('commits about 8 MB at once: records and stored answers together; a heavier unit goes alone', async () => {
    const tenant = await tenantWithTemplate(store);
    const sized = (megabytes: number, stored = 0) => {
      const unit = unitOf(tenant.id, { key: uuidv7() });
      unit.writes[0]!.rows[0]!.merge_data = { text: 'x'.repeat(megabytes * 1024 * 1024) };
      unit.idempotency!.response.body = 'y'.repeat(stored * 1024 * 1024);
      return unit;
    };
    const units = [sized(0), sized(0), sized(3), sized(3), sized(3), sized(10), sized(1, 3), sized(2)];
    await Promise.all(units.map((unit) => work.commit(unit)));
    const commits = await store.query<{ units: number }>(
      'select count(*)::int as units from signing.signature_request where tenant_id = $1 group by xmin order by min(id::text)',
      [tenant.id],
    );
    expect(commits.map((commit) => commit.units)).toEqual([4, 1, 1, 1, 1]);
    await soundLedger();
  });

  it('refuses a key that was used for another request, in one batch and later', async () => {
    const tenant = await tenantWithTemplate(store);
    const key = crypto.randomUUID();
    const outcomes = await Promise.allSettled(
      ['a', 'b'].map((subject) => work.commit(unitOf(tenant.id, { key, subject }))),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused).toEqual([expect.any(KeyReusedError)]); // two batches are under way at once: either may be first
    await expect(work.commit(unitOf(tenant.id, { key, subject: 'c' }))).rejects.toBeInstanceOf(KeyReusedError);
    expect(await recordsOf(tenant.id)).toHaveLength(1);
  });

  it('keeps keys of different tenants apart and forgets them after 24 hours', async () => {
    const [a, b] = [await tenantWithTemplate(store), await tenantWithTemplate(store)];
    const key = crypto.randomUUID();
    expect(await work.commit(unitOf(a.id, { key, subject: 'a' }))).toBeNull();
    expect(await work.commit(unitOf(b.id, { key, subject: 'b' }))).toBeNull();
    await store.query(`update signing.idempotency_key set expires_at = now() where tenant_id = $1`, [a.id]);
    expect(await work.commit(unitOf(a.id, { key, subject: 'later' }))).toBeNull();
    expect(await recordsOf(a.id)).toHaveLength(2);
  });

  it('waits 2 s for work on the same balance, then gives up: 409 with a key, else 503, and nothing is kept', async () => {
    const tenant = await tenantWithTemplate(store);
    const other = await tenantWithTemplate(store);
    const [locked, unlock] = [signal(), signal()];
    const holding = signingOwner.tenant(tenant.id, async (tx) => {
      await tx.query('select platform_v1.lock_accounts($1)', [[tenant.id]]);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    const key = crypto.randomUUID();
    const startedAt = performance.now();
    const outcomes = await Promise.allSettled([
      work.commit(unitOf(tenant.id, { key })),
      work.commit(unitOf(tenant.id)),
      work.commit(unitOf(other.id)),
    ]);
    const waitedMs = performance.now() - startedAt;
    unlock.resolve();
    await holding;
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as object) : null)),
    ).toMatchObject([{ code: 'request_still_running' }, { code: 'balance_busy' }, null]);
    expect(waitedMs).toBeGreaterThan(1_900);
    expect(await recordsOf(tenant.id)).toEqual([]);
    expect(await recordsOf(other.id)).toHaveLength(1);
    expect(await work.commit(unitOf(tenant.id, { key }))).toBeNull();
  });

  it('stores a secret answer encrypted', async () => {
    const tenant = await tenantWithTemplate(store);
    const key = crypto.randomUUID();
    const unit = () => {
      const made = unitOf(tenant.id, { key });
      return { ...made, idempotency: made.idempotency && { ...made.idempotency, secret: true } };
    };
    const first = unit();
    await work.commit(first);
    const [row] = await store.query<{ body: Buffer }>('select body from signing.idempotency_key where tenant_id = $1', [
      tenant.id,
    ]);
    expect(row?.body.toString('latin1')).not.toContain('"id"');
    expect((await work.commit(unit()))?.body).toBe(first.idempotency?.response.body);
  });

  it('calls what a unit names once its rows are there, in order, and not for a unit that is not carried out', async () => {
    await store.query(`create table signing.seen (tenant_id uuid, what text, records int, nth serial)`);
    await store.query(`
      create function signing.look(p_tenant_id uuid, p_args jsonb) returns void
      language plpgsql security definer set search_path = signing, pg_temp as $$
      begin
        if p_args ->> 'what' = 'refuse' then raise exception 'no' using errcode = 'CN409'; end if;
        insert into signing.seen (tenant_id, what, records) select p_tenant_id, p_args ->> 'what', count(*)
          from signing.signature_request r where r.tenant_id = p_tenant_id;
      end $$`);
    await store.query(allowCommit('signing', { functions: ['look'] }));
    const [rich, poor] = [await tenantWithTemplate(store), await tenantWithTemplate(store, { credits: 39 })];
    const calling = (tenantId: string, ...whats: string[]): WorkUnit => ({
      ...unitOf(tenantId),
      calls: whats.map((what) => ({ function: 'look', args: { what } })),
    });
    const outcomes = await Promise.allSettled([
      work.commit(calling(rich.id, 'first', 'second')),
      work.commit(calling(poor.id, 'never')),
      work.commit(calling(rich.id, 'refuse')),
      work.commit(calling(rich.id, 'third')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(sqlState((outcomes[2] as PromiseRejectedResult).reason)).toBe('CN409');
    const seen = await store.query<{ tenant_id: string; what: string; records: number }>(
      `select tenant_id, what, records from signing.seen order by nth`,
    );
    expect(seen.map(({ tenant_id, what }) => [tenant_id, what])).toEqual([
      [rich.id, 'first'],
      [rich.id, 'second'],
      [rich.id, 'third'],
    ]);
    expect(seen.every(({ records }) => records > 0)).toBe(true);
    expect(await recordsOf(rich.id)).toHaveLength(2);
    expect(await recordsOf(poor.id)).toEqual([]);
    await soundLedger();
  });

  it('fails only the unit that breaks a constraint', async () => {
    const tenant = await tenantWithTemplate(store);
    const taken = uuidv7();
    await work.commit(unitOf(tenant.id, { id: taken }));
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => work.commit(unitOf(tenant.id))),
      work.commit(unitOf(tenant.id, { id: taken })),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10);
    expect(sqlState((outcomes[10] as PromiseRejectedResult).reason)).toBe('23505');
    expect((await reader.balance(tenant.id)).available).toBe(1000 - 11 * 40);
    await soundLedger();
  });
});

describe('an account that another transaction keeps locked', () => {
  it('turns its own requests away, and holds up the other tenants of the batch no longer than once', async () => {
    const [stuck, other] = [await tenantWithTemplate(store), await tenantWithTemplate(store)];
    let unlock = (): void => undefined;
    const locked = new Promise<void>((resolve, reject) => {
      signingOwner
        .transaction(async (tx) => {
          await tx.query('select platform_v1.lock_accounts($1)', [[stuck.id]]);
          resolve();
          await new Promise<void>((release) => (unlock = release));
        })
        .catch(reject);
    });
    await locked;
    const begun = performance.now();
    await Promise.all([1, 2].map(() => work.commit(unitOf(other.id)))); // the next ones share a batch
    const turnedAway = Array.from({ length: 12 }, () =>
      work.commit(unitOf(stuck.id, { key: uuidv7() })).catch((error: unknown) => error),
    );
    await work.commit(unitOf(other.id));
    // One after the other, each waiting 2 s for the lock, they would take 24 s.
    expect(performance.now() - begun).toBeLessThan(12_000);
    expect(await Promise.all(turnedAway)).toEqual(turnedAway.map(() => expect.any(RequestStillRunningError)));
    unlock();
    await work.commit(unitOf(stuck.id));
    await soundLedger();
  });
});

describe('the ledger', () => {
  const debitOf = (amount = 40) => ({ module: 'identity', refType: 'thing', refId: uuidv7(), amount });
  const as = <T>(tenantId: string, use: Parameters<typeof identity.tenant<T>>[1]) => identity.tenant(tenantId, use);

  it('debits a business object once', async () => {
    const tenant = await tenantWithTemplate(store);
    const debit = debitOf();
    await as(tenant.id, (tx) => ledger.debit(tx, tenant.id, debit));
    const again = await as(tenant.id, (tx) => ledger.debit(tx, tenant.id, debit)).catch((error: unknown) => error);
    expect(sqlState(again)).toBe('23505');
    expect((await reader.balance(tenant.id)).available).toBe(960);
  });

  it('refunds once what was debited and nothing else', async () => {
    const tenant = await tenantWithTemplate(store);
    const debit = debitOf();
    await expect(as(tenant.id, (tx) => ledger.refund(tx, tenant.id, debit))).rejects.toMatchObject({
      code: 'ledger_entry_not_found',
    });
    await as(tenant.id, (tx) => ledger.debit(tx, tenant.id, debit));
    const first = await as(tenant.id, (tx) => ledger.refund(tx, tenant.id, debit));
    const second = await as(tenant.id, (tx) => ledger.refund(tx, tenant.id, debit));
    expect(second.entry_id).toBe(first.entry_id);
    expect((await reader.balance(tenant.id)).available).toBe(1000);
    expect((await entriesOf(tenant.id)).map((entry) => entry.kind)).toEqual(['grant', 'debit', 'refund']);
  });

  it('holds, captures and releases: -80, 0, +80', async () => {
    const tenant = await tenantWithTemplate(store);
    const hold = async (debit = debitOf(80)) => as(tenant.id, (tx) => ledger.hold(tx, tenant.id, debit, 60));
    const captured = await hold();
    expect(await reader.balance(tenant.id)).toEqual({ available: 920, held: 80 });
    await as(tenant.id, (tx) => ledger.capture(tx, captured));
    await as(tenant.id, (tx) => ledger.capture(tx, captured));
    await expect(as(tenant.id, (tx) => ledger.release(tx, captured))).rejects.toBeInstanceOf(HoldSettledError);
    const once = debitOf(80);
    const released = await hold(once);
    expect(await hold(once)).toBe(released);
    await as(tenant.id, (tx) => ledger.release(tx, released));
    expect(await reader.balance(tenant.id)).toEqual({ available: 920, held: 0 });
    expect((await entriesOf(tenant.id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['grant', 1000],
      ['hold', -80],
      ['capture', 0],
      ['hold', -80],
      ['release', 80],
    ]);
    await soundLedger();
  });

  it('does not hold again for an object whose hold was settled', async () => {
    const tenant = await tenantWithTemplate(store);
    const [released, captured] = [debitOf(80), debitOf(80)];
    const hold = (debit: typeof released) => as(tenant.id, (tx) => ledger.hold(tx, tenant.id, debit, 60));
    const holds = [await hold(released), await hold(captured)] as const;
    await as(tenant.id, (tx) => ledger.release(tx, holds[0]));
    await as(tenant.id, (tx) => ledger.capture(tx, holds[1]));
    await expect(hold(released)).rejects.toBeInstanceOf(HoldSettledError);
    await expect(hold(captured)).rejects.toBeInstanceOf(HoldSettledError);
    expect(await reader.balance(tenant.id)).toEqual({ available: 920, held: 0 });
    await soundLedger();
  });

  it('releases holds that nobody settled', async () => {
    const tenant = await tenantWithTemplate(store);
    const stale = await as(tenant.id, (tx) => ledger.hold(tx, tenant.id, debitOf(80), 0));
    await as(tenant.id, (tx) => ledger.hold(tx, tenant.id, debitOf(80), 600));
    expect(await reader.reapHolds()).toBe(1);
    expect(await reader.balance(tenant.id)).toEqual({ available: 920, held: 80 });
    await expect(as(tenant.id, (tx) => ledger.capture(tx, stale))).rejects.toBeInstanceOf(HoldSettledError);
  });

  it('refuses a debit for another tenant inside a tenant transaction', async () => {
    const [a, b] = [await tenantWithTemplate(store), await tenantWithTemplate(store)];
    const error = await as(a.id, (tx) => ledger.debit(tx, b.id, debitOf())).catch((caught: unknown) => caught);
    expect(sqlState(error)).toBe('CN403');
  });

  it('is append-only, for its owner too', async () => {
    const tenant = await tenantWithTemplate(store);
    for (const statement of [
      'update platform.credit_entry set amount = 1',
      'delete from platform.credit_entry',
      'truncate platform.credit_entry',
    ]) {
      const error = await store.query(statement).catch((caught: unknown) => caught);
      expect(sqlState(error), statement).toBe('CN403');
    }
    expect(await entriesOf(tenant.id)).toHaveLength(1);
  });

  it('pages a statement by sequence and bounds it by time', async () => {
    const tenant = await tenantWithTemplate(store);
    for (let i = 0; i < 5; i++) await as(tenant.id, (tx) => ledger.debit(tx, tenant.id, debitOf(1)));
    const { entries: first } = await reader.statement(tenant.id, { limit: 4 });
    expect(first.map((entry) => entry.seq)).toEqual([6, 5, 4, 3]);
    const { entries: rest } = await reader.statement(tenant.id, { limit: 4, beforeSeq: 3 });
    expect(rest.map((entry) => entry.seq)).toEqual([2, 1]);
    expect(await reader.statement(tenant.id, { limit: 4, to: new Date(0) })).toEqual({ entries: [], archive: null });
  });
});

describe('random operations from several processes, one of them killed', () => {
  it('break no invariant: sums, dense sequence, one debit per object and per key', async () => {
    const tenants = await Promise.all([400, 2_000, 100_000].map((credits) => tenantWithTemplate(store, { credits })));
    const keys = Array.from({ length: 60 }, () => crypto.randomUUID());
    const script = await bundled(path.join(import.meta.dirname, 'ledger-process.fixture.ts'));
    const start = (seed: number, operations = 600) =>
      fork(
        script,
        [
          JSON.stringify({
            url: store.app('signing'),
            identityUrl: store.app('identity'),
            tenants: tenants.map(({ id }) => id),
            keys,
            seed,
            operations,
          }),
        ],
        {
          stdio: 'inherit',
        },
      );
    const processes = [start(1), start(2), start(3), start(4, 1_000_000)];
    setTimeout(() => processes[3]?.kill('SIGKILL'), 1_200);
    const exits = await Promise.all(processes.map((child) => once(child, 'exit')));
    expect(exits).toEqual([
      [0, null],
      [0, null],
      [0, null],
      [null, 'SIGKILL'],
    ]);

    await soundLedger();
    for (const tenant of tenants) {
      const entries = await entriesOf(tenant.id);
      expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
      expect(entries.every((entry) => entry.balance_after >= 0)).toBe(true);
      const debited = entries.filter((entry) => entry.kind === 'debit').map((entry) => entry.ref_id);
      expect(new Set(debited).size).toBe(debited.length);
      const records = (await recordsOf(tenant.id)).map((row) => row.id);
      const debitedRequests = await store.query<{ ref_id: string }>(
        `select ref_id from platform.credit_entry where tenant_id = $1 and kind = 'debit' and ref_type = 'signature_request'`,
        [tenant.id],
      );
      expect(new Set(debitedRequests.map((row) => row.ref_id))).toEqual(new Set(records));
      const stored = await store.query<{ id: string }>(
        `select convert_from(body, 'UTF8')::json ->> 'id' as id from signing.idempotency_key where tenant_id = $1`,
        [tenant.id],
      );
      expect(stored.every((row) => records.includes(row.id))).toBe(true);
      expect(stored.length).toBeLessThanOrEqual(keys.length);
    }
  });
});
