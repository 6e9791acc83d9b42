import { randomUUID } from 'node:crypto';
import type { BatchCheckView } from '@constancia/batches';
import {
  ContractChecker, eventually, testDatabase, type TestDatabase, testTenant, type TestTenant,
} from '@constancia/testing'; // prettier-ignore
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import { type Answer, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import type { EnvelopeBatchPage, EnvelopeBatchView } from './envelope-batch-view.ts';
import { Replica, stopWorkerOf } from './replica.fixture.ts';
import type { BatchResult } from './show-batch-results.ts';

let store: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;
let circuit: string;

const field = (key: string, type: string, signer: string, y: number, more: object = {}) => ({ key, type, signer, page: 1, x: 72, y, ...more }); // prettier-ignore
const DEFINITION = {
  signers: [
    { role: 'seller', auth: ['otp_email'], order: 2 },
    { role: 'buyer', auth: ['otp_email'], order: 1 },
  ],
  fields: [
    field('amount', 'text', 'sender', 700),
    field('insured', 'checkbox', 'sender', 670, { required: false }),
    field('buyer_signature', 'signature', 'buyer', 100),
    field('city', 'text', 'buyer', 600, { required: false }),
    field('seller_signature', 'signature', 'seller', 200),
  ],
};

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, {
    env: { MAILS_PER_ADDRESS: '5' },
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
});
beforeEach(() => newTenant(1_000_000));
afterAll(async () => {
  await signing?.close();
  await store?.drop();
});

async function newTenant(credits: number): Promise<void> {
  tenant = await testTenant(store, { credits });
  circuit = await publishedCircuit(signing, tenant.apiKey, { definition: DEFINITION });
}

const HEADER = 'external_ref,signers.buyer.email,signers.buyer.name,signers.seller.email,values.amount,values.insured';
const line = (nth: number): string =>
  `loan-${nth},buyer-${nth}@correo.example,Ana Canaria,seller-${nth}@correo.example,$ 1.250.417,${nth % 2 === 0 ? 'true' : ''}`;
const csv = (count: number): string => [HEADER, ...Array.from({ length: count }, (_, nth) => line(nth))].join('\n');

interface Sent {
  query?: string;
  type?: string;
  headers?: Record<string, string>;
}

const send = <Body = EnvelopeBatchView>(
  body: string | Buffer,
  { query = '', type = 'text/csv', headers = {} }: Sent = {},
) =>
  signing.call<Body>(`/v1/envelope-batches?circuit_id=${circuit}${query}`, {
    method: 'POST',
    key: tenant.apiKey,
    body,
    headers: { 'content-type': type, ...headers },
  });
const show = (id: string) => signing.call<EnvelopeBatchView>(`/v1/envelope-batches/${id}`, { key: tenant.apiKey });
const cancel = (id: string, key = tenant.apiKey) =>
  signing.call<EnvelopeBatchView>(`/v1/envelope-batches/${id}/cancel`, { method: 'POST', key });
const resultsOf = async (id: string): Promise<BatchResult[]> => {
  const { bytes } = await signing.call(`/v1/envelope-batches/${id}/results`, { key: tenant.apiKey });
  const text = bytes.toString('utf8').trim();
  return text === '' ? [] : text.split('\n').map((one) => JSON.parse(one) as BatchResult);
};
const errorsOf = ({ body }: Answer<unknown>) => (body as Problem).errors?.map(({ pointer, code }) => [pointer, code]);

function become(id: string, status: string): Promise<EnvelopeBatchView> {
  return eventually(async () => {
    const { body } = await show(id);
    if (body.status !== status) throw new Error(`it is ${JSON.stringify(body)}`);
    return body;
  }, 30_000);
}

const grant = (credits: number) =>
  store.query('select platform_v1.grant_credits($1, $2, $3, $4, $5)', [tenant.id, credits, 'signup', randomUUID(), 'test']); // prettier-ignore

/** What the tenant has of envelopes, in numbers. */
async function totals() {
  const count = (what: string, from: string) => `(select count(${what})::int from ${from} tenant_id = $1)`;
  const events = (type: string) => count('*', `platform.event where event_type = '${type}' and`);
  const [row] = await store.query<Record<string, number>>(
    `select ${count('*', 'signing.envelope where')} as envelopes,
            ${count('distinct external_ref', 'signing.envelope where')} as refs,
            ${count('*', 'signing.envelope_signer where')} as signers,
            ${count('*', `signing.signer_mail where kind = 'invitation' and`)} as mails,
            ${count('*', 'signing.envelope_event where')} as trail,
            ${count('*', 'signing.envelope_batch_chunk where')} as chunks,
            ${count('*', `platform.credit_entry where kind = 'debit' and`)} as debits,
            (select -coalesce(sum(amount), 0)::int from platform.credit_entry where tenant_id = $1 and kind = 'debit') as debited,
            ${events('seal.envelope.sent')} as events, ${events('seal.envelope_batch.completed')} as ends`,
    [tenant.id],
  );
  return { ...row, trail: undefined };
}

const once = (rows: number, ends = 1) => ({
  envelopes: rows,
  refs: rows,
  signers: 2 * rows,
  mails: rows,
  chunks: 0,
  debits: rows,
  debited: 40 * rows,
  events: rows,
  ends,
  trail: undefined,
});

const METADATA = encodeURIComponent(JSON.stringify({ sucursal: 'Bogotá' }));

describe('an envelope batch', () => {
  it('makes, charges and announces an envelope of every row, and shows the results as NDJSON and CSV', async () => {
    const { status, body } = await send(csv(70), { query: `&external_ref=portfolio&metadata=${METADATA}` });
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({
        id: expect.stringMatching(/^evb_/),
        status: 'processing',
        circuit_id: circuit,
        rows: 70,
        processed: 0,
        external_ref: 'portfolio',
        metadata: { sucursal: 'Bogotá' },
        finished_at: null,
      }),
    ]);
    const ended = await become(body.id, 'completed');
    expect(ended).toMatchObject({ processed: 70, skipped: 0, credits_debited: 40 * 70, reason: null });
    expect(await totals()).toEqual(once(70));
    const [event] = await store.query<{ body: string }>(
      `select body from platform.event where tenant_id = $1 and event_type = 'seal.envelope_batch.completed'`,
      [tenant.id],
    );
    expect(JSON.parse(event?.body as string)).toMatchObject({
      payload: {
        batch_id: body.id,
        circuit_id: circuit,
        external_ref: 'portfolio',
        metadata: { sucursal: 'Bogotá' },
        status: 'completed',
        rows: 70,
        processed: 70,
        skipped: 0,
        credits_debited: 2800,
      },
    });

    const results = await resultsOf(body.id);
    expect(results.map(({ row, external_ref, status, error }) => [row, external_ref, status, error])).toEqual(
      Array.from({ length: 70 }, (_, nth) => [nth + 1, `loan-${nth}`, 'sent', null]),
    );
    const table = await signing.call(`/v1/envelope-batches/${body.id}/results?format=csv`, { key: tenant.apiKey });
    expect(table.headers.get('content-disposition')).toBe(`attachment; filename="${body.id}.csv"`);
    expect(parse(table.bytes, { columns: true })).toEqual(
      results.map(({ row, external_ref, envelope_id, status }) => ({
        ...{ row: String(row), external_ref, envelope_id, status, error: '' },
      })),
    );
    const one = await signing.call<EnvelopeView>(`/v1/envelopes/${results[3]?.envelope_id}`, { key: tenant.apiKey });
    expect(one.body).toMatchObject({
      external_ref: 'loan-3',
      signers: [
        { role: 'buyer', email: 'buyer-3@correo.example', name: 'Ana Canaria' },
        { role: 'seller', email: 'seller-3@correo.example', name: null },
      ],
    });
  });

  it('takes NDJSON with what POST /v1/envelopes takes', async () => {
    const row = (nth: number) => ({
      signers: [
        { role: 'buyer', email: `ana-${nth}@correo.example` },
        { role: 'seller', email: `luis-${nth}@correo.example` },
      ],
      values: { amount: '$ 1', city: 'Mompox' },
      locale: 'en',
      notify: false,
      metadata: { branch: 'Cali' },
    });
    const text = [row(1), '', row(2)].map((one) => (one === '' ? '' : JSON.stringify(one))).join('\n');
    const { status, body } = await send(text, { type: 'application/x-ndjson' });
    expect(status).toBe(202);
    expect(await become(body.id, 'completed')).toMatchObject({ rows: 2, processed: 2 });
    expect(await totals()).toMatchObject({ envelopes: 2, mails: 0, debited: 80 });
    const [first] = await resultsOf(body.id);
    const one = await signing.call<EnvelopeView>(`/v1/envelopes/${first?.envelope_id}`, { key: tenant.apiKey });
    expect(one.body).toMatchObject({ locale: 'en', notify: false, metadata: { branch: 'Cali' }, external_ref: null });
  });

  it('with options in columns makes the envelopes that they describe', async () => {
    const header = 'signers.buyer.email;signers.seller.email;values.amount;expires_in_days;notify;locale;reminders.after_days;metadata.branch;subject'; // prettier-ignore
    const { body } = await send(`${header}\na@correo.example;b@correo.example;9;3;true;en;2;Cali;Loan 7`);
    await become(body.id, 'completed');
    const [result] = await resultsOf(body.id);
    const one = await signing.call<EnvelopeView>(`/v1/envelopes/${result?.envelope_id}`, { key: tenant.apiKey });
    expect(one.body).toMatchObject({
      ...{ locale: 'en', notify: true, subject: 'Loan 7', metadata: { branch: 'Cali' } },
      reminders: { after_days: 2, every_days: 2, most: 3 },
    });
    const days = (Date.parse(one.body.expires_at) - Date.parse(one.body.created_at)) / 86_400_000;
    expect(Math.round(days)).toBe(3);
  });

  it('with a wrong row answers all errors by row and column; nothing is kept, sent or charged', async () => {
    const long = 'x'.repeat(400);
    const text = [HEADER, line(1), 'r,no-address,,c@correo.example,,maybe', line(3), 'r,,,,1,'].join('\n');
    const expected = [
      ['/rows/2/signers.buyer.email', 'wrong_format'],
      ['/rows/4/signers.buyer.email', 'required'],
      ['/rows/4/signers.seller.email', 'required'],
    ];
    const refused = await send(text);
    expect([refused.status, errorsOf(refused)]).toEqual([400, expect.arrayContaining(expected)]);
    const dry = await send<BatchCheckView>(text, { query: '&dry_run=true' });
    expect([dry.status, dry.body.rows]).toEqual([200, 4]);
    expect(dry.body.errors.map(({ row, line, pointer, code }) => [row, line, pointer, code])).toEqual(
      expect.arrayContaining([
        [2, 3, '/rows/2/signers.buyer.email', 'wrong_format'],
        [4, 5, '/rows/4/signers.seller.email', 'required'],
      ]),
    );
    const values = [HEADER, line(1), 'r,a@correo.example,,c@correo.example,,maybe', line(3)].join('\n');
    expect(errorsOf(await send(values))).toEqual([
      ['/rows/2/values.amount', 'required'],
      ['/rows/2/values.insured', 'wrong_type'],
    ]);
    const undrawable = [HEADER, line(1), line(2).replace('$ 1.250.417', long), line(3), line(4)].join('\n');
    expect(errorsOf(await send(undrawable))).toEqual([['/rows/2/values.amount', expect.any(String)]]);
    expect((await send<BatchCheckView>(csv(3), { query: '&dry_run=true' })).body).toEqual({
      ...{ rows: 3, credits: 120, errors: [] },
    });
    const json = JSON.stringify({
      signers: [{ role: 'buyer', email: 'a@correo.example', age: 3 }],
      circuit_id: circuit,
    });
    expect(errorsOf(await send(json, { type: 'application/x-ndjson' }))).toEqual([
      ['/rows/1/circuit_id', 'unknown_member'],
      ['/rows/1/signers/0/age', 'unknown_member'],
    ]);
    expect(await totals()).toEqual(once(0, 0));
    expect(await store.query('select 1 from signing.envelope_batch where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it.each([
    ['without rows', HEADER, 'text/csv', [['', 'required']]],
    ['empty', ' ', 'application/x-ndjson', [['', 'required']]],
    ['with an unknown column', `${HEADER},values.nobody\n${line(1)},x`, 'text/csv', [['/header', 'unknown_column']]],
    ['without an address', 'signers.buyer.email\na@correo.example', 'text/csv', [['/header', 'required']]],
    ['that invites one address too often', csv(6).replaceAll(/buyer-\d/g, 'buyer'), 'text/csv', [['/rows/6/signers.buyer.email', 'too_many']]], // prettier-ignore
    ['that is no JSON', '{"signers"', 'application/x-ndjson', [['/rows/1', 'malformed']]],
  ])('%s is refused', async (_, body, type, errors) => {
    const refused = await send(body, { type });
    expect([refused.status, errorsOf(refused)]).toEqual([400, errors]);
  });

  it('is bounded in rows and errors, and of a published circuit of the tenant', async () => {
    const json = JSON.stringify({ signers: [] });
    const many = await send<BatchCheckView>(`${json}\n`.repeat(101), {
      ...{ query: '&dry_run=true', type: 'application/x-ndjson' },
    });
    expect(many.body.errors).toHaveLength(100);
    expect((await send('{}', { type: 'application/json' })).status).toBe(415);
    const owner = tenant;
    const ownCircuit = circuit;
    await newTenant(1_000);
    circuit = ownCircuit;
    expect(errorsOf(await send(csv(1)))).toEqual([['/query/circuit_id', 'not_found']]);
    tenant = owner;
    await signing.call(`/v1/circuits/${circuit}/clone`, { method: 'POST', key: tenant.apiKey });
    const { body } = await signing.call<{ data: { id: string }[] }>('/v1/circuits?status=draft', {
      key: tenant.apiKey,
    });
    circuit = body.data[0]?.id as string;
    expect((await send(csv(1))).status).toBe(409);
  });

  it('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(csv(3), { headers });
    const again = await send(csv(3), { headers });
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([202, 'true', first.body]);
    expect((await send(csv(4), { headers })).status).toBe(422);
    await become(first.body.id, 'completed');
    expect(await totals()).toEqual(once(3));
  });

  it('pauses when credits run out, goes on once there are some, and is sealed meanwhile', async () => {
    await newTenant(40 * 60 + 39);
    const { body } = await send(csv(120));
    expect(await become(body.id, 'paused')).toMatchObject({
      ...{ reason: 'insufficient_credits', processed: 60, credits_debited: 40 * 60 },
    });
    expect(await totals()).toMatchObject({ envelopes: 60, debited: 2400, ends: 0 });
    const tables = ['envelope_batch', 'envelope_batch_chunk', 'envelope_batch_row', 'idempotency_key', 'envelope'];
    const rows = await store.query<{ row: string }>(
      tables.map((table) => `select t::text as row from signing.${table} t where tenant_id = $1`).join(' union all '),
      [tenant.id],
    );
    const hex = (text: string): string => Buffer.from(text).toString('hex');
    const stored = rows.map(({ row }) => row).join('\n');
    for (const word of ['correo.example', 'Canaria', '1.250.417'])
      expect([stored.includes(word), stored.includes(hex(word))]).toEqual([false, false]);
    await grant(40 * 60);
    await dueNow();
    await become(body.id, 'completed');
    expect(await totals()).toEqual(once(120));
  });

  it('goes on with its version of the circuit when another one is published', async () => {
    await newTenant(40);
    const { body } = await send(csv(2));
    await become(body.id, 'paused');
    const clone = await signing.call<{ id: string }>(`/v1/circuits/${circuit}/clone`, { method: 'POST', key: tenant.apiKey }); // prettier-ignore
    await signing.call(`/v1/circuits/${clone.body.id}/publish`, { method: 'POST', key: tenant.apiKey });
    await grant(40);
    await dueNow();
    await become(body.id, 'completed');
    expect(await store.query('select distinct circuit_id from signing.envelope where tenant_id = $1', [tenant.id])).toHaveLength(1); // prettier-ignore
    expect((await send(csv(1))).status).toBe(409);
  });

  it('is cancelled: what is sent stays, and nothing is added', async () => {
    await newTenant(40 * 20);
    const { body } = await send(csv(70));
    await become(body.id, 'paused');
    const counted = { status: 'canceled', reason: null, processed: 20, credits_debited: 800 };
    expect((await cancel(body.id)).body).toMatchObject(counted);
    await grant(4_000);
    expect((await cancel(body.id)).status).toBe(200);
    expect(await totals()).toMatchObject({ envelopes: 20, chunks: 0, debited: 800, ends: 0 });
    await expect(
      store.query(
        `insert into signing.envelope_batch_row (tenant_id, batch_id, row_number, error)
         select tenant_id, id, 60, 'recipient_erased' from signing.envelope_batch where tenant_id = $1`,
        [tenant.id],
      ),
    ).rejects.toThrow(/canceled already/);
    const finished = await send(csv(1));
    await become(finished.body.id, 'completed');
    expect((await cancel(finished.body.id)).status).toBe(409);
  });

  it('sends nothing to somebody who was erased after it was accepted, also when nothing else was there of them', async () => {
    await newTenant(40);
    const { body } = await send(csv(3));
    await become(body.id, 'paused');
    const erase = () =>
      signing.call<{ receipt_id: string }>('/v1/erasures', {
        key: tenant.apiKey,
        body: { subject_ref: 'customer-2', email: 'Seller-1@correo.example' },
      });
    expect((await erase()).body.receipt_id).toBe((await erase()).body.receipt_id);
    await grant(400);
    await dueNow();
    expect(await become(body.id, 'completed')).toMatchObject({ processed: 3, skipped: 1, credits_debited: 80 });
    expect((await resultsOf(body.id))[1]).toEqual({
      ...{ row: 2, external_ref: 'loan-1', envelope_id: null, status: null, error: 'recipient_erased' },
    });
  });

  it('leaves out rows whose address was invited too often since, and charges nothing for them', async () => {
    const invited = (nth: number) => csv(2).replaceAll('loan-', `l${nth}-`).replaceAll('buyer-1', 'often');
    for (let nth = 0; nth < 5; nth++) await become((await send(invited(nth))).body.id, 'completed');
    const { body } = await send(invited(5).replaceAll('buyer-0', 'other'));
    expect(await become(body.id, 'completed')).toMatchObject({ processed: 2, skipped: 1, credits_debited: 40 });
    expect((await resultsOf(body.id)).map(({ error }) => error)).toEqual([null, 'mails_per_address']);
    expect(await totals()).toMatchObject({ envelopes: 11, debited: 440 });
  });

  it('is seen by its tenant alone', async () => {
    const { body } = await send(csv(1));
    await become(body.id, 'completed');
    const idsOf = async (query: string, key = tenant.apiKey) =>
      (await signing.call<EnvelopeBatchPage>(`/v1/envelope-batches?${query}`, { key })).body.data.map(({ id }) => id);
    expect(await idsOf('status=completed')).toEqual([body.id]);
    expect(await idsOf(`from=${body.created_at}`)).toEqual([body.id]);
    expect(await idsOf(`to=${body.created_at}`)).toEqual([]);
    const { body: later } = await send(csv(1), { query: '&external_ref=second' });
    expect(await idsOf('order=asc')).toEqual([body.id, later.id]);
    expect(await idsOf('external_ref=second')).toEqual([later.id]);
    const other = await testTenant(store);
    for (const path of ['', '/results'])
      expect((await signing.call(`/v1/envelope-batches/${body.id}${path}`, { key: other.apiKey })).status).toBe(404);
    expect((await cancel(body.id, other.apiKey)).status).toBe(404);
    expect(await idsOf('', other.apiKey)).toEqual([]);
  });
});

/** Every open batch is looked at again with the next claim, also one that is leased. */
async function dueNow(): Promise<void> {
  await store.query(`update signing.envelope_batch set due_at = now() where tenant_id = $1`, [tenant.id]);
}

describe('the processes that work on batches', () => {
  /** The app itself claims no more: what follows is done by replicas that can be killed. */
  beforeAll(() => stopWorkerOf(signing.app));
  /** What an earlier test left open is not claimed in the place of this one's. */
  beforeEach(() => store.query(`update signing.envelope_batch set due_at = now() + interval '1 hour'`));

  it('killed twenty times at random, leave one envelope of every row, charged and announced once', async () => {
    const rows = 1_000;
    const { body } = await send(csv(rows));
    let midway = 0;
    for (let kill = 0; kill < 20; kill++) {
      await dueNow();
      const replica = await Replica.start(store, signing.app);
      const turn = replica.turn();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
      await replica.kill(store);
      await turn;
      const { processed, status } = (await show(body.id)).body;
      if (processed < rows && status === 'processing') midway += 1;
    }
    expect(midway).toBeGreaterThan(0);
    const survivor = await Replica.start(store, signing.app);
    await finished(body.id, [survivor]);
    await survivor.close();
    expect((await show(body.id)).body).toMatchObject({ processed: rows, credits_debited: 40 * rows });
    expect(await totals()).toEqual(once(rows));
  }, 120_000);

  it('at work on the same batch at once, because one was slow, make one envelope of every row', async () => {
    const rows = 300;
    const { body } = await send(csv(rows));
    const replicas = await Promise.all([1, 2].map(() => Replica.start(store, signing.app)));
    const turns: Promise<void>[] = [];
    for (const replica of replicas) {
      turns.push(replica.turn());
      await new Promise((resolve) => setTimeout(resolve, 30));
      await dueNow();
    }
    await Promise.all(turns);
    await finished(body.id, replicas);
    for (const replica of replicas) await replica.close();
    expect(await totals()).toEqual(once(rows));
  }, 60_000);

  it('leave batches of a suspended tenant alone, and end those of a closed one without an envelope', async () => {
    await send(csv(3));
    const replica = await Replica.start(store, signing.app);
    const suspend = (at: string) =>
      store.query(`update platform.tenant set suspended_at = ${at} where id = $1`, [tenant.id]);
    await suspend('now()');
    expect(await replica.claim()).toBeUndefined();
    await suspend('null');
    await store.query(
      `insert into platform.tenant_closing (tenant_id, requested_at, requested_by, requested_by_name, closes_at, closed_at)
       values ($1, now(), gen_random_uuid(), 'Ana Ruiz', now(), now())`,
      [tenant.id],
    );
    await expect(
      store.query(
        `insert into signing.envelope_batch_row (tenant_id, batch_id, row_number, error)
         select tenant_id, id, 1, 'recipient_erased' from signing.envelope_batch where tenant_id = $1`,
        [tenant.id],
      ),
    ).rejects.toThrow('the tenant of the envelope batch is closed'); // of a turn that began before
    // Postgres reports the failed insert before it unlocks the batch, and a claim skips what is locked.
    await eventually(async () => {
      await replica.turn();
      const batches = await store.query(
        `select status, processed, finished_at is not null as has_ended from signing.envelope_batch where tenant_id = $1`,
        [tenant.id],
      );
      expect(batches).toEqual([{ status: 'canceled', processed: 0, has_ended: true }]);
    });
    expect(await totals()).toEqual(once(0, 0));
    await replica.close();
  });

  it('of one tenant claim one batch at a time, and take turns between tenants', async () => {
    const [first, second] = [await send(csv(1)), await send(csv(1))];
    await newTenant(1_000);
    const third = await send(csv(1));
    const replica = await Replica.start(store, signing.app);
    const claimed = [await replica.claim(), await replica.claim(), await replica.claim()];
    expect(claimed).toEqual([first.body.id, third.body.id, undefined]);
    expect(second.status).toBe(202);
    await replica.close();
  });
});

/** Every turn of these, until the batch is done. */
async function finished(id: string, replicas: readonly Replica[]): Promise<void> {
  await eventually(async () => {
    await dueNow();
    await Promise.all(replicas.map((replica) => replica.turn()));
    if ((await show(id)).body.status !== 'completed') throw new Error('there is more to do');
    return true;
  }, 60_000);
}
