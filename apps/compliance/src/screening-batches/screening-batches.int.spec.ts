import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type BatchCheckView, BatchFile, type FileRow } from '@constancia/batches';
import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import type { Answer, Problem } from '@constancia/testing/calls';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { type BatchSubject, subjectReader } from './batch-rows.ts';
import type { BatchResult } from './batch-results.ts';
import { Replica, stopWorkerOf } from './replica.fixture.ts';
import type { ScreeningBatchPage, ScreeningBatchView } from './screening-batch-view.ts';

let store: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  await listsLoaded(compliance, (await testTenant(store)).apiKey);
});
beforeEach(async () => {
  tenant = await testTenant(store, { credits: 100_000 });
  await seededValidation(compliance, tenant.apiKey);
});
afterAll(async () => {
  await compliance?.close();
  await store?.drop();
});

const HEADER = 'subject_ref,subject_type,full_name,birth_date,country_code,amount,currency';
/** Every tenth is on the sandbox's OFAC list, and opens a case. */
const line = (nth: number): string =>
  `customer-${nth},natural,${nth % 10 === 0 ? 'Ernesto Ficticio Ejemplo,1962-04-17' : 'Rosalba Quintero Arbeláez,1987-04-12'},CO,1250000,COP`;
const csv = (count: number): string => [HEADER, ...Array.from({ length: count }, (_, nth) => line(nth))].join('\n');

const send = <Body = ScreeningBatchView>(
  body: string | Buffer,
  {
    query = '',
    type = 'text/csv',
    headers = {},
  }: { query?: string; type?: string; headers?: Record<string, string> } = {},
) =>
  compliance.call<Body>(`/v1/screening-batches${query}`, {
    method: 'POST',
    key: tenant.apiKey,
    body,
    headers: { 'content-type': type, ...headers },
  });
const show = (id: string) => compliance.call<ScreeningBatchView>(`/v1/screening-batches/${id}`, { key: tenant.apiKey });
const results = (id: string, format: string) =>
  compliance.call(`/v1/screening-batches/${id}/results?format=${format}`, { key: tenant.apiKey });
const errorsOf = ({ body }: Answer<unknown>) => (body as Problem).errors?.map(({ pointer, code }) => [pointer, code]);

function become(id: string, status: string): Promise<ScreeningBatchView> {
  return eventually(async () => {
    const { body } = await show(id);
    if (body.status !== status) throw new Error(`it is ${JSON.stringify(body)}`);
    return body;
  }, 30_000);
}

/** What the tenant has of screenings, in numbers. */
async function totals() {
  const [row] = await store.query<Record<string, number>>(
    `select (select count(*)::int from compliance.screening where tenant_id = $1) as screenings,
            (select count(distinct subject_ref)::int from compliance.screening where tenant_id = $1) as subjects,
            (select count(*)::int from compliance.review_case where tenant_id = $1) as cases,
            (select count(*)::int from compliance.screening_batch_chunk where tenant_id = $1) as chunks,
            (select count(*)::int from platform.credit_entry where tenant_id = $1 and kind = 'debit') as debits,
            (select -coalesce(sum(amount), 0)::int from platform.credit_entry where tenant_id = $1 and kind = 'debit') as debited,
            (select count(*)::int from platform.event where tenant_id = $1 and event_type = 'screening.completed') as events,
            (select count(*)::int from platform.event where tenant_id = $1 and event_type = 'screening_batch.completed') as ends`,
    [tenant.id],
  );
  return row;
}

const once = (rows: number, ends = 1) => ({
  screenings: rows,
  subjects: rows,
  cases: Math.ceil(rows / 10),
  chunks: 0,
  debits: rows,
  debited: 8 * rows,
  events: rows,
  ends,
});

const METADATA = encodeURIComponent(JSON.stringify({ sucursal: 'Bogotá' }));

describe('a screening batch', () => {
  it('screens, charges and announces every row once, and shows the results as NDJSON and CSV', async () => {
    const { status, body } = await send(csv(230), { query: `?external_ref=portfolio&metadata=${METADATA}` });
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({
        status: 'processing',
        rows: 230,
        processed: 0,
        external_ref: 'portfolio',
        metadata: { sucursal: 'Bogotá' },
        finished_at: null,
      }),
    ]);
    const ended = await become(body.id, 'completed');
    expect(ended).toMatchObject({ processed: 230, skipped: 0, credits_debited: 8 * 230, reason: null });
    expect(await totals()).toEqual(once(230));
    const [event] = await store.query<{ body: string }>(
      `select body from platform.event where tenant_id = $1 and event_type = 'screening_batch.completed'`,
      [tenant.id],
    );
    expect(JSON.parse(event?.body as string)).toMatchObject({
      payload: {
        batch_id: body.id,
        external_ref: 'portfolio',
        metadata: { sucursal: 'Bogotá' },
        status: 'completed',
        rows: 230,
        processed: 230,
        credits_debited: 1840,
      },
    });

    const ndjson = (await results(body.id, 'ndjson')).text
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as BatchResult);
    expect(ndjson.map(({ row }) => row)).toEqual(Array.from({ length: 230 }, (_, nth) => nth + 1));
    expect(ndjson.map(({ screening }) => screening?.subject_ref)).toEqual(
      ndjson.map(({ row }) => `customer-${row - 1}`),
    );
    const rows = parse((await results(body.id, 'csv')).text, { columns: true }) as Record<string, string>[];
    expect(
      rows.map(({ row, screening_id, decision, score, list_hits, case_id }) => [
        row,
        screening_id,
        decision,
        score,
        list_hits,
        case_id,
      ]),
    ).toEqual(
      ndjson.map(({ row, screening }) => [
        String(row),
        screening?.id,
        screening?.decision,
        String(screening?.score),
        screening?.list_hits.join('|'),
        screening?.case_id ?? '',
      ]),
    );
    const one = await compliance.call(`/v1/screenings/${ndjson[0]?.screening?.id}`, { key: tenant.apiKey });
    const kept = { payload: expect.anything(), lists_when_screened: expect.any(Array) };
    expect(one.body).toEqual({ ...ndjson[0]?.screening, ...kept });
  });

  it('takes NDJSON with free members and parties; rows of one subject are decided one after the other', async () => {
    const row = (extra: object) =>
      JSON.stringify({
        subject_ref: 'customer-1',
        subject_type: 'legal',
        payload: {
          full_name: 'Comercial Inventada',
          beneficial_owners: [{ full_name: 'Ernesto Ficticio Ejemplo', birth_date: '1962-04-17' }],
          ...extra,
        },
      });
    const { status, body } = await send([row({}), '', row({ field_branch: 'Cali' })].join('\n'), {
      type: 'application/x-ndjson',
    });
    expect(status).toBe(202);
    expect(await become(body.id, 'completed')).toMatchObject({ processed: 2 });
    expect(await totals()).toMatchObject({ screenings: 2, cases: 1, debited: 16 });
  });

  it('with a wrong row answers all errors by row; nothing is kept or charged', async () => {
    const text = [HEADER, line(1), ',natural,,1987-13-40,CO,x,COP', line(3), 'customer-4,neutral,A,,CO,,'].join('\n');
    const expected = [
      ['/rows/2/subject_ref', 'wrong_length'],
      ['/rows/2/payload/birth_date', 'wrong_format'],
      ['/rows/2/payload/amount', 'wrong_type'],
      ['/rows/4/subject_type', 'not_allowed'],
    ];
    const refused = await send(text);
    expect([refused.status, errorsOf(refused)]).toEqual([400, expect.arrayContaining(expected)]);
    const dry = await send<BatchCheckView>(text, { query: '?dry_run=true' });
    expect([dry.status, dry.body.rows]).toEqual([200, 4]);
    expect(dry.body.errors.map(({ row, line, pointer, code }) => [row, line, pointer, code])).toEqual(
      expect.arrayContaining([
        [2, 3, '/rows/2/subject_ref', 'wrong_length'],
        [4, 5, '/rows/4/subject_type', 'not_allowed'],
      ]),
    );
    expect((await send<BatchCheckView>(csv(3), { query: '?dry_run=true' })).body).toEqual({
      rows: 3,
      credits: 24,
      errors: [],
    });
    const doubtful = [
      `${HEADER},document_type,document_number`,
      `${line(1)},NIT,900123456-8`,
      `${line(2)},NIT,900123456-7`,
    ];
    expect((await send<BatchCheckView>(doubtful.join('\n'), { query: '?dry_run=true' })).body).toMatchObject({
      errors: [],
      warnings: [{ row: 2, line: 3, pointer: '/rows/2/payload/document_number', code: 'wrong_check_digit' }],
    });
    expect(await totals()).toEqual(once(0, 0));
    expect(await store.query('select 1 from compliance.screening_batch where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it.each([
    ['without rows', HEADER, 'text/csv', [['', 'required']]],
    ['empty', ' ', 'application/x-ndjson', [['', 'required']]],
    ['with an unknown column', 'subject_ref,nombre\nc-1,A', 'text/csv', [['/header', 'unknown_column']]],
    ['without references', 'full_name\nA', 'text/csv', [['/header', 'required']]],
    ['with an open quote', `${HEADER}\n${line(1)}\n"customer-2,natural`, 'text/csv', [['/rows/2', 'truncated']]],
    ['in another encoding', Buffer.from(`${HEADER}\n${line(1)}`, 'latin1'), 'text/csv', [['', 'wrong_encoding']]],
    ['that is no JSON', '{"subject_ref"', 'application/x-ndjson', [['/rows/1', 'malformed']]],
  ])('%s is refused', async (_, body, type, errors) => {
    const refused = await send(body, { type });
    expect([refused.status, errorsOf(refused)]).toEqual([400, errors]);
  });

  it('has its separator read from a header that arrives in pieces', async () => {
    const pieces = ['subject', '_ref;full_', 'name\ncustomer-1;A'].map((piece) => Buffer.from(piece));
    const rows: FileRow<BatchSubject>[] = [];
    const file = new BatchFile('text/csv', Readable.from(pieces), subjectReader('2026-11-21'), BATCH_LIMITS);
    for await (const row of file.rows()) rows.push(row);
    expect(rows).toEqual([{ row: 1, line: 2, subject: ['customer-1', 'natural', { full_name: 'A' }] }]);
  });

  it('is bounded in rows and bytes, and of a code that is published', async () => {
    const long = `${HEADER}\n${`${line(1)}\n`.repeat(100_001)}`;
    const refused = await send(long, { query: '?dry_run=true' });
    expect((refused.body as unknown as BatchCheckView).errors).toMatchObject([{ row: 100_001, code: 'too_many' }]);
    expect((await send(Buffer.alloc(50 * 1024 * 1024 + 1, 0x20))).status).toBe(413);
    expect((await send(csv(1), { query: '?validation_code=other' })).status).toBe(404);
    expect((await send('{}', { type: 'application/json' })).status).toBe(415);
  });

  it('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(csv(3), { headers });
    const again = await send(csv(3), { headers });
    expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([202, 'true', first.text]);
    expect((await send(csv(4), { headers })).status).toBe(422);
    await become(first.body.id, 'completed');
    expect(await totals()).toEqual(once(3));
  });

  it('pauses when credits run out, and goes on once there are some', async () => {
    tenant = await testTenant(store, { credits: 8 * 130 });
    await seededValidation(compliance, tenant.apiKey);
    const { body } = await send(csv(200));
    expect(await become(body.id, 'paused')).toMatchObject({
      reason: 'insufficient_credits',
      processed: 130,
      credits_debited: 8 * 130,
    });
    expect(await totals()).toMatchObject({ screenings: 130, debited: 8 * 130, ends: 0 });
    await store.query('select platform_v1.grant_credits($1, $2, $3, $4, $5)', [
      tenant.id,
      8 * 70,
      'signup',
      randomUUID(),
      'test',
    ]);
    await dueNow();
    await become(body.id, 'completed');
    expect(await totals()).toEqual(once(200));
  });

  it('is cancelled: what is done stays, and nothing is added', async () => {
    tenant = await testTenant(store, { credits: 8 * 50 });
    await seededValidation(compliance, tenant.apiKey);
    const { body } = await send(csv(120));
    await become(body.id, 'paused');
    const clear = await store.query(
      `select 1 from compliance.screening_batch_chunk where tenant_id = $1 and position('Rosalba'::bytea in sealed) > 0`,
      [tenant.id],
    );
    expect(clear).toEqual([]); // what waits is sealed
    const cancel = () =>
      compliance.call<ScreeningBatchView>(`/v1/screening-batches/${body.id}/cancel`, {
        method: 'POST',
        key: tenant.apiKey,
      });
    expect((await cancel()).body).toMatchObject({
      status: 'canceled',
      reason: null,
      processed: 50,
      credits_debited: 400,
    });
    await store.query('select platform_v1.grant_credits($1, $2, $3, $4, $5)', [
      tenant.id,
      1_000,
      'signup',
      randomUUID(),
      'test',
    ]);
    expect((await cancel()).status).toBe(200);
    expect(await totals()).toMatchObject({ screenings: 50, chunks: 0, debited: 400, ends: 0 });
    await expect(
      store.query(
        `insert into compliance.screening_batch_row (tenant_id, batch_id, row_number, screening_id)
         select tenant_id, id, 77, null from compliance.screening_batch where tenant_id = $1`,
        [tenant.id],
      ),
    ).rejects.toThrow(/canceled already/);
    const finished = await send(csv(1));
    await become(finished.body.id, 'completed');
    const late = await compliance.call(`/v1/screening-batches/${finished.body.id}/cancel`, {
      method: 'POST',
      key: tenant.apiKey,
    });
    expect(late.status).toBe(409);
  });

  it('does not screen somebody who was erased after it was accepted', async () => {
    tenant = await testTenant(store, { credits: 8 });
    await seededValidation(compliance, tenant.apiKey);
    const { body } = await send(csv(2));
    await become(body.id, 'paused');
    const erased = await compliance.call('/v1/erasures', {
      method: 'POST',
      key: tenant.apiKey,
      body: { subject_ref: 'customer-1' },
    });
    expect(erased.status).toBe(200);
    await dueNow();
    expect(await become(body.id, 'completed')).toMatchObject({ processed: 2, skipped: 1, credits_debited: 8 });
    const ndjson = (await results(body.id, 'ndjson')).text
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as BatchResult);
    expect(ndjson[1]).toEqual({ row: 2, screening: null });
  });

  it('counts no credits for erased subjects, neither while it is paused nor once it is cancelled', async () => {
    tenant = await testTenant(store, { credits: 8 });
    await seededValidation(compliance, tenant.apiKey);
    const { body } = await send(csv(3));
    await become(body.id, 'paused');
    await compliance.call('/v1/erasures', { method: 'POST', key: tenant.apiKey, body: { subject_ref: 'customer-1' } });
    await dueNow();
    const counted = { processed: 2, skipped: 1, credits_debited: 8 };
    await eventually(async () => expect((await show(body.id)).body).toMatchObject({ status: 'paused', ...counted }));
    const canceled = await compliance.call(`/v1/screening-batches/${body.id}/cancel`, {
      method: 'POST',
      key: tenant.apiKey,
    });
    expect(canceled.body).toMatchObject({ status: 'canceled', ...counted });
  });

  it('is seen by its tenant alone', async () => {
    const { body } = await send(csv(1));
    await become(body.id, 'completed');
    const listed = await compliance.call<ScreeningBatchPage>('/v1/screening-batches?status=completed', {
      key: tenant.apiKey,
    });
    expect(listed.body.data.map(({ id }) => id)).toEqual([body.id]);
    const idsOf = async (query: string) =>
      (await compliance.call<ScreeningBatchPage>(`/v1/screening-batches?${query}`, { key: tenant.apiKey })).body.data.map(({ id }) => id); // prettier-ignore
    expect(await idsOf(`from=${body.created_at}`)).toEqual([body.id]);
    expect(await idsOf(`to=${body.created_at}`)).toEqual([]);
    const { body: later } = await send(csv(1));
    expect(await idsOf('order=asc')).toEqual([body.id, later.id]);
    expect(await idsOf('from=2026-01-01&to=2026-01-31')).toEqual([]);
    const wrong = await send(csv(1), { query: '?metadata=%7B%22a%22:1%7D' });
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, [['/query/metadata', 'wrong_format']]]);
    const other = await testTenant(store);
    for (const path of ['', '/results'])
      expect((await compliance.call(`/v1/screening-batches/${body.id}${path}`, { key: other.apiKey })).status).toBe(
        404,
      );
    expect(
      (await compliance.call(`/v1/screening-batches/${body.id}/cancel`, { method: 'POST', key: other.apiKey })).status,
    ).toBe(404);
    expect(
      (await compliance.call<ScreeningBatchPage>('/v1/screening-batches', { key: other.apiKey })).body.data,
    ).toEqual([]);
  });
});

/** Every open batch is looked at again with the next claim, also one that is leased. */
async function dueNow(): Promise<void> {
  await store.query(`update compliance.screening_batch set due_at = now() where tenant_id = $1`, [tenant.id]);
}

describe('the processes that work on batches', () => {
  beforeAll(() => stopWorkerOf(compliance.app));
  /** What an earlier test left open is not claimed in the place of this one's. */
  beforeEach(() => store.query(`update compliance.screening_batch set due_at = now() + interval '1 hour'`));

  it('killed twenty times at random, leave every row screened, charged and announced once', async () => {
    const rows = 1_200;
    const { body } = await send(csv(rows));
    let midway = 0;
    for (let kill = 0; kill < 20; kill++) {
      await dueNow();
      const replica = await Replica.start(store, compliance.app);
      const turn = replica.turn();
      // On a slow machine a turn only starts within 60 ms: each kill waits longer until one interrupts the work.
      const longestMs = midway === 0 ? 60 * (kill + 1) : 60;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
      await replica.kill(store);
      await turn;
      const { processed, status } = (await show(body.id)).body;
      if (processed < rows && status === 'processing') midway += 1;
    }
    expect(midway).toBeGreaterThan(0);
    const survivor = await Replica.start(store, compliance.app);
    await eventually(async () => {
      await dueNow();
      await survivor.turn();
      if ((await show(body.id)).body.status !== 'completed') throw new Error('there is more to do');
      return true;
    }, 30_000);
    await survivor.close();
    expect((await show(body.id)).body).toMatchObject({ processed: rows, credits_debited: 8 * rows });
    expect(await totals()).toEqual(once(rows));
  }, 60_000);

  it('at work on the same batch at once, because one was slow, do every row once', async () => {
    const rows = 400;
    const { body } = await send(csv(rows));
    const replicas = await Promise.all([1, 2].map(() => Replica.start(store, compliance.app)));
    const turns: Promise<void>[] = [];
    for (const replica of replicas) {
      turns.push(replica.turn());
      await new Promise((resolve) => setTimeout(resolve, 30));
      await dueNow();
    }
    await Promise.all(turns);
    await eventually(async () => {
      await dueNow();
      await Promise.all(replicas.map((replica) => replica.turn()));
      if ((await show(body.id)).body.status !== 'completed') throw new Error('there is more to do');
      return true;
    }, 30_000);
    for (const replica of replicas) await replica.close();
    expect(await totals()).toEqual(once(rows));
  }, 60_000);

  it('leave batches of a suspended tenant alone, and end those of a closed one without screening a row', async () => {
    await send(csv(3));
    const replica = await Replica.start(store, compliance.app);
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
        `insert into compliance.screening_batch_row (tenant_id, batch_id, row_number)
         select tenant_id, id, 1 from compliance.screening_batch where tenant_id = $1`,
        [tenant.id],
      ),
    ).rejects.toThrow('the tenant of the screening batch is closed'); // of a turn that began before
    // Postgres reports the failed insert before it unlocks the batch, and a claim skips what is locked.
    await eventually(async () => {
      await replica.turn();
      const batches = await store.query(
        `select status, processed, finished_at is not null as has_ended from compliance.screening_batch where tenant_id = $1`,
        [tenant.id],
      );
      expect(batches).toEqual([{ status: 'canceled', processed: 0, has_ended: true }]);
    });
    expect(await totals()).toEqual(once(0, 0));
    await replica.close();
  });

  it('of one tenant claim one batch at a time, and take turns between tenants', async () => {
    const [first, second] = [await send(csv(1)), await send(csv(1))];
    const other = await testTenant(store);
    await seededValidation(compliance, other.apiKey);
    const owner = tenant;
    tenant = other;
    const third = await send(csv(1));
    tenant = owner;
    const replica = await Replica.start(store, compliance.app);
    const claimed = [await replica.claim(), await replica.claim(), await replica.claim()];
    expect(claimed).toEqual([first.body.id, third.body.id, undefined]);
    expect(second.status).toBe(202);
    await replica.close();
  });
});
