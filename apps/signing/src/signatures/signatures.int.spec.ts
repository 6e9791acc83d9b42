import { randomUUID } from 'node:crypto';
import { SIGNING_CONTEXT } from '@constancia/contracts';
import { typeId, uuidOf } from '@constancia/kernel';
import { PersonalData } from '@constancia/personal-data';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testKms } from '@constancia/testing/test-kms';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { SealedMergeData } from './sealed-merge-data.ts';
import type { CreatedSignatureView, SignaturePage, SignatureView } from './signature-view.ts';

const PLACEHOLDERS = [
  { key: 'name', page: 1, x: 72, y: 700 },
  { key: 'amount', page: 1, x: 72, y: 600 },
];

let database: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;
let templateId: string;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  templateId = await signing.template(tenant.apiKey, PLACEHOLDERS);
});

afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

const bodyOf = (changes: object = {}) => ({
  template_id: templateId,
  subject_ref: 'loan-1',
  merge_data: { name: 'Ana' },
  ...changes,
});

function create<Body = CreatedSignatureView>(body: unknown = bodyOf(), headers: Record<string, string> = {}) {
  return signing.call<Body>('/v1/signatures', { key: tenant.apiKey, body, headers });
}

/** What the tenant has: credits, and requests in the store. */
async function standing(): Promise<{ available: number; requests: number; debits: number }> {
  const [row] = await database.query<{ available: number; requests: number; debits: number }>(
    `select (select available from platform.credit_account where tenant_id = $1)::int as available,
            (select count(*) from signing.signature_request where tenant_id = $1)::int as requests,
            (select count(*) from platform.credit_entry where tenant_id = $1 and kind = 'debit')::int as debits`,
    [tenant.id],
  );
  return row as { available: number; requests: number; debits: number };
}

describe('POST /v1/signatures', () => {
  test('answers 202 exactly as published, and debits 40 credits for the request', async () => {
    const { status, body } = await create();
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^sig_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      template_id: templateId,
      subject_ref: 'loan-1',
      status: 'pending',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      credits_debited: 40,
      blank_placeholders: ['amount'],
      external_ref: null,
      metadata: {},
    });
    expect(await standing()).toEqual({ available: 960, requests: 1, debits: 1 });
    const entries = await database.query(
      'select module, ref_type, ref_id from platform.credit_entry where kind = $1 and tenant_id = $2',
      ['debit', tenant.id],
    );
    expect(entries).toEqual([{ module: 'seal', ref_type: 'signature', ref_id: uuidOf('sig', body.id) }]);
  });

  test('external_ref and metadata are returned, and narrow the list', async () => {
    const own = { external_ref: 'loan-42', metadata: { branch: 'Chapinero' } };
    const { body } = await create(bodyOf(own));
    expect(body).toMatchObject(own);
    const shown = await signing.call(`/v1/signatures/${body.id}`, { key: tenant.apiKey });
    expect(shown.body).toMatchObject(own);
    const listed = await signing.call('/v1/signatures?external_ref=loan-42', { key: tenant.apiKey });
    expect(listed.body).toMatchObject({ data: [{ id: body.id, ...own }] });
    const none = await signing.call('/v1/signatures?external_ref=loan-4', { key: tenant.apiKey });
    expect(none.body).toMatchObject({ data: [] });
  });

  test('merge_data may be left out; it is kept sealed, its values in NFC', async () => {
    expect((await create({ template_id: templateId, subject_ref: 'x' })).status).toBe(202);
    const { body } = await create(bodyOf({ merge_data: { name: 'Nun\u0303ez', amount: '😀'.repeat(2000) } }));
    const [row] = await database.query<SealedMergeData & { id: string; merge_data: object }>(
      'select id, merge_data, sealed_merge_data, merge_key from signing.signature_request where id = $1',
      [uuidOf('sig', body.id)],
    );
    expect(row?.merge_data).toEqual({});
    const { id, sealed_merge_data, merge_key } = row as SealedMergeData & { id: string };
    const key = (await signing.app.get(PersonalData).tenant(tenant.id)).subject(id, merge_key);
    expect(key.open(SIGNING_CONTEXT.mergeData(id), sealed_merge_data)).toMatchObject({ name: 'Nu\u00f1ez' });
  });

  test('KMS is asked for the keys of a tenant once; while it is unavailable known tenants are served, others get 503 and are not charged', async () => {
    const kms = await testKms();
    expect((await create()).status).toBe(202);
    const stranger = await testTenant(database);
    const foreign = await signing.template(stranger.apiKey, PLACEHOLDERS);
    const before = kms.calls();
    kms.setMode('5xx');
    try {
      expect((await Promise.all([create(), create(), create()])).map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(kms.calls()).toBe(before);
      const body = bodyOf({ template_id: foreign });
      const refused = await signing.call<Problem>('/v1/signatures', { key: stranger.apiKey, body });
      expect([refused.status, refused.body.type]).toEqual([503, expect.stringMatching(/dependency-unavailable$/)]);
    } finally {
      kms.setMode('ok');
    }
    const rows = await database.query('select 1 from platform.credit_entry where tenant_id = $1 and kind = $2', [
      stranger.id,
      'debit',
    ]);
    expect(rows).toEqual([]);
  });

  test('a required placeholder without a value is 400 at its pointer, and nothing is charged', async () => {
    const required = PLACEHOLDERS.map((placeholder) => ({ ...placeholder, required: true }));
    templateId = await signing.template(tenant.apiKey, required);
    const { status, body } = await create<Problem>(bodyOf({ merge_data: { name: '  ' } }));
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/merge_data/name required',
      '/merge_data/amount required',
    ]);
    expect(await standing()).toEqual({ available: 1000, requests: 0, debits: 0 });
    const both = await create(bodyOf({ merge_data: { name: 'Ana', amount: '$ 1' } }));
    expect(both.body).toMatchObject({ status: 'pending', blank_placeholders: [] });
  });

  test('an unknown template is named by its pointer, and another tenant’s in the same words', async () => {
    const stranger = await testTenant(database);
    const foreign = await signing.template(stranger.apiKey, PLACEHOLDERS);
    const [theirs, unknown, malformed] = await Promise.all(
      [foreign, typeId('tpl', randomUUID()), 'loan'].map((id) => create<Problem>(bodyOf({ template_id: id }))),
    );
    const { request_id: _, ...shown } = theirs?.body as Problem;
    expect(shown).toMatchObject({
      status: 404,
      detail: 'There is no template with this template_id.',
      errors: [{ pointer: '/template_id', code: 'not_found', detail: 'There is no template with this template_id.' }],
    });
    for (const answer of [unknown, malformed])
      expect(answer?.body).toEqual({ ...shown, request_id: expect.any(String) });
  });

  test('a wrong Idempotency-Key and a wrong body are reported in one answer', async () => {
    const { status, body } = await create<Problem>(bodyOf({ subject_ref: 7, colour: 1 }), {
      'idempotency-key': 'mine',
    });
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/headers/Idempotency-Key', '/colour', '/subject_ref']);
  });

  test('the queue gets a hint, without anything personal', async () => {
    const { body } = await create(bodyOf({ merge_data: { name: 'Ana Secreta' } }));
    const jobs = await eventually(async () => {
      const [row] = await database.query<{ xml: string }>(
        `select schema_to_xml('queue', false, false, '')::text as xml`,
      );
      expect(row?.xml).toContain(uuidOf('sig', body.id));
      return row?.xml;
    });
    expect(jobs).not.toContain('Ana');
    expect(jobs).not.toContain('loan-1');
  });

  test.each([
    [{ subject_ref: '' }, ['/subject_ref']],
    [{ subject_ref: 'x'.repeat(201) }, ['/subject_ref']],
    [{ subject_ref: 7 }, ['/subject_ref']],
    [{ subject_ref: null }, ['/subject_ref']],
    [{ subject_ref: 'a\0b' }, ['/subject_ref']],
    [{ subject_ref: '\ud800' }, ['/subject_ref']],
    [{ template_id: 7 }, ['/template_id']],
    [{ merge_data: [] }, ['/merge_data']],
    [{ merge_data: 'x' }, ['/merge_data']],
    [{ merge_data: null }, ['/merge_data']],
    [{ merge_data: { name: 7, nope: 'x', 'a/b': 'x' } }, ['/merge_data/name', '/merge_data/nope', '/merge_data/a~1b']],
    [{ merge_data: { name: 'x'.repeat(2001) } }, ['/merge_data/name']],
    [{ merge_data: { name: '\0' } }, ['/merge_data/name']],
    [{ merge_data: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, ''])) }, ['/merge_data']],
    [{ subject_ref: undefined, template_id: undefined, colour: 1 }, ['/colour', '/subject_ref', '/template_id']],
  ])('%j is refused with pointers, and nothing is charged', async (changes, pointers) => {
    const { status, body } = await create<Problem>(bodyOf(changes));
    expect(status).toBe(400);
    expect(body.type).toBe('http://platform.test/problems/validation-error');
    expect(body.errors?.map((error) => error.pointer)).toEqual(pointers);
    expect(await standing()).toEqual({ available: 1000, requests: 0, debits: 0 });
  });

  test.each([
    ['{', 400],
    ['[]', 400],
    ['null', 400],
    ['', 400],
    ['['.repeat(10_000) + ']'.repeat(10_000), 400],
    ['{"__proto__": {"a": 1}}', 400],
  ])('the body %.20s is %i', async (text, expected) => {
    const { status } = await create(text, { 'content-type': 'application/json' });
    expect(status).toBe(expected);
  });

  test('the largest merge data that the limits allow is accepted', async () => {
    const placeholders = Array.from({ length: 200 }, (_, i) => ({ key: String(i), page: 1, x: 0, y: 0 }));
    const id = await signing.template(tenant.apiKey, placeholders);
    const mergeData = Object.fromEntries(placeholders.map(({ key }) => [key, '漢'.repeat(2000)]));
    const { status } = await create(bodyOf({ template_id: id, merge_data: mergeData }));
    expect(status).toBe(202);
  });

  test("another tenant's template, an unknown one and a malformed id are the same 404, and nothing is charged", async () => {
    const other = await testTenant(database);
    const theirs = await signing.template(other.apiKey);
    const answers = [];
    for (const id of [theirs, 'tpl_00000000000000000000000000', 'nonsense', '']) {
      answers.push(await create<Problem>(bodyOf({ template_id: id })));
    }
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]?.body, request_id: '' });
    }
    expect(await standing()).toMatchObject({ available: 1000, requests: 0 });
  });

  test('a balance below 40 is 402: nothing is debited and nothing is kept', async () => {
    tenant = await testTenant(database, { credits: 39 });
    templateId = await signing.template(tenant.apiKey);
    const { status, body } = await create<Problem>(bodyOf({ merge_data: {} }));
    expect(status).toBe(402);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/insufficient-acai', status: 402 });
    expect(await standing()).toEqual({ available: 39, requests: 0, debits: 0 });
  });

  test('of 20 requests at once with credits for 5, exactly 5 are accepted', async () => {
    tenant = await testTenant(database, { credits: 239 });
    templateId = await signing.template(tenant.apiKey, PLACEHOLDERS);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(5).fill(202), ...Array(15).fill(402)]);
    expect(await standing()).toEqual({ available: 39, requests: 5, debits: 5 });
  });

  test.each([
    ['no key', undefined],
    ['a malformed key', 'test_nonsense'],
    ['a key of another environment', `live_${'0'.repeat(49)}`],
  ])('%s is 401', async (_name, key) => {
    const { status, body } = await signing.call('/v1/signatures', { key, body: bodyOf() });
    expect(status).toBe(401);
    expect(body.type).toBe('http://platform.test/problems/invalid-api-key');
  });
});

describe('Idempotency-Key', () => {
  test('a repetition gets the first answer, byte for byte, and is not charged', async () => {
    const key = randomUUID();
    const first = await create(bodyOf(), { 'idempotency-key': key });
    const again = await create(bodyOf(), { 'idempotency-key': `"${key.toUpperCase()}"` });
    const { merge_data, subject_ref, template_id } = bodyOf();
    const reordered = await create({ merge_data, subject_ref, template_id }, { 'idempotency-key': key });
    for (const repeated of [again, reordered]) {
      expect(repeated.status).toBe(202);
      expect(repeated.bytes.equals(first.bytes)).toBe(true);
      expect(repeated.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await standing()).toEqual({ available: 960, requests: 1, debits: 1 });
  });

  test('the key with another body is 422', async () => {
    const key = randomUUID();
    await create(bodyOf(), { 'idempotency-key': key });
    const { status, body } = await create<Problem>(bodyOf({ subject_ref: 'loan-2' }), { 'idempotency-key': key });
    expect(status).toBe(422);
    expect(body.type).toBe('http://platform.test/problems/unprocessable-entity');
    expect(await standing()).toMatchObject({ available: 960, requests: 1 });
  });

  test.each(['nonsense', '', '123', `${randomUUID()}, ${randomUUID()}`])('the key %j is 400', async (key) => {
    const { status, body } = await create<Problem>(bodyOf(), { 'idempotency-key': key });
    expect(status).toBe(400);
    expect(body.errors?.[0]?.pointer).toBe('/headers/Idempotency-Key');
  });

  test('many repetitions at once debit once and answer the same', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(bodyOf(), { 'idempotency-key': key })));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.bytes.toString()}`)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await standing()).toEqual({ available: 960, requests: 1, debits: 1 });
  });

  test('many different requests at once with one key: one is carried out, the others are 422', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => create(bodyOf({ subject_ref: `loan-${i}` }), { 'idempotency-key': key })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, ...Array(9).fill(422)]);
    expect(await standing()).toEqual({ available: 960, requests: 1, debits: 1 });
  });

  test('a refusal is not kept: after a top-up the same key goes through', async () => {
    tenant = await testTenant(database, { credits: 10 });
    templateId = await signing.template(tenant.apiKey, PLACEHOLDERS);
    const key = randomUUID();
    expect((await create(bodyOf(), { 'idempotency-key': key })).status).toBe(402);
    await database.query('select platform_v1.grant_credits($1, $2, $3, $4, $5)', [
      tenant.id,
      30,
      'topup',
      randomUUID(),
      'test',
    ]);
    const { status, headers } = await create(bodyOf(), { 'idempotency-key': key });
    expect(status).toBe(202);
    expect(headers.get('idempotent-replayed')).toBeNull();
  });

  test('the same key of two tenants is two keys, and after 24 hours a key is new', async () => {
    const key = randomUUID();
    const first = await create(bodyOf(), { 'idempotency-key': key });
    await database.query("update signing.idempotency_key set expires_at = now() - interval '1 second' where key = $1", [
      key,
    ]);
    const later = await create(bodyOf(), { 'idempotency-key': key });
    expect(later.status).toBe(202);
    expect(later.body.id).not.toBe(first.body.id);

    tenant = await testTenant(database);
    templateId = await signing.template(tenant.apiKey, PLACEHOLDERS);
    const other = await create(bodyOf(), { 'idempotency-key': key });
    expect(other.status).toBe(202);
    expect(other.headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('reading requests', () => {
  const show = (id: string, key = tenant.apiKey) => signing.call<SignatureView>(`/v1/signatures/${id}`, { key });

  test('a pending request shows what was accepted, and no failure', async () => {
    const { body } = await create();
    const shown = await show(body.id);
    expect(shown.status).toBe(200);
    const { blank_placeholders: _, ...accepted } = body;
    expect(shown.body).toEqual({ ...accepted, credits_refunded: 0, signed_at: null, document_sha256: null });
  });

  test('a failed request says why, and what was given back', async () => {
    const { body } = await create();
    await database.query(
      `update signing.signature_request set status = 'failed', failure_code = 'signing_unavailable', credits_refunded = 40,
              failure_reason = 'The key management service did not answer.' where id = $1`,
      [uuidOf('sig', body.id)],
    );
    expect((await show(body.id)).body).toMatchObject({
      status: 'failed',
      failure_code: 'signing_unavailable',
      failure_reason: 'The key management service did not answer.',
      credits_debited: 40,
      credits_refunded: 40,
      signed_at: null,
    });
  });

  test("another tenant's request, an unknown one and a malformed id are the same 404, on every path", async () => {
    const { body } = await create();
    const other = await testTenant(database);
    const ids = [body.id, 'sig_00000000000000000000000000', 'nonsense'];
    for (const [suffix, method] of [
      ['', 'GET'],
      ['/document', 'GET'],
      ['/verify', 'POST'],
    ] as const) {
      const answers = await Promise.all(
        ids.map((id) => signing.call(`/v1/signatures/${id}${suffix}`, { method, key: other.apiKey })),
      );
      const shown = answers.map(({ status, body: { instance: _instance, request_id: _id, ...rest } }) => ({
        status,
        rest,
      }));
      expect(shown[0]).toMatchObject({ status: 404, rest: { type: 'http://platform.test/problems/not-found' } });
      for (const one of shown) expect(one).toEqual(shown[0]);
      // A look at its prefix tells: no store is asked, for one that exists either.
      const ofAnotherKind = await signing.call(`/v1/signatures/${templateId}${suffix}`, { method, key: other.apiKey });
      expect(ofAnotherKind).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('Give one that begins with sig_.') },
      });
    }
  });

  test('row-level security alone keeps tenants apart: without any condition a tenant sees only its own', async () => {
    await create();
    const other = await testTenant(database);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: database.app('signing') });
    await client.connect();
    try {
      const count = async (table: string) =>
        (await client.query(`select count(*)::int as n from signing.${table}`)).rows[0].n as number;
      for (const table of ['signature_request', 'template', 'idempotency_key']) {
        await client.query(`select set_config('app.tenant_id', '', false)`);
        expect(await count(table)).toBe(0);
        await client.query(`select set_config('app.tenant_id', $1, false)`, [other.id]);
        expect(await count(table)).toBe(0);
      }
      await client.query(`select set_config('app.tenant_id', $1, false)`, [tenant.id]);
      expect(await count('signature_request')).toBe(1);
    } finally {
      await client.end();
    }
  });

  test('filters combine, and pages have no gaps or repetitions while requests arrive', async () => {
    const second = await signing.template(tenant.apiKey, PLACEHOLDERS);
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      ids.push(
        await signing.signature(tenant.apiKey, i % 2 ? second : templateId, { subject_ref: i < 4 ? 'early' : 'late' }),
      );
    }
    await database.query(
      `update signing.signature_request set status = 'failed', failure_code = 'internal', failure_reason = 'x' where id = $1`,
      [uuidOf('sig', ids[3] as string)],
    );
    const list = async (query: string) =>
      (await signing.call<SignaturePage>(`/v1/signatures?${query}`, { key: tenant.apiKey })).body;
    const idsOf = (page: SignaturePage) => page.data.map((request) => request.id);

    expect(idsOf(await list('status=failed'))).toEqual([ids[3]]);
    expect(idsOf(await list(`template_id=${second}`))).toEqual([ids[5], ids[3], ids[1]]);
    expect(idsOf(await list(`template_id=${second}&subject_ref=early&status=pending`))).toEqual([ids[1]]);
    expect((await list('status=signed')).data).toEqual([]);
    expect(await list('template_id=nonsense')).toEqual({ data: [], next_cursor: null });

    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(page));
      await create();
      cursor = page.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual([...ids].reverse());
  });

  test.each(['status=done', 'limit=101', 'cursor=WzFd', 'status=pending&status=failed', 'colour=red'])(
    'a list with %s is 400',
    async (query) => {
      const { status, body } = await signing.call(`/v1/signatures?${query}`, { key: tenant.apiKey });
      expect(status).toBe(400);
      expect(body.errors?.length).toBeGreaterThan(0);
    },
  );

  test('a method that a path does not have is 405 with Allow', async () => {
    const { status, headers } = await signing.call('/v1/signatures', { method: 'DELETE', key: tenant.apiKey });
    expect(status).toBe(405);
    expect(headers.get('allow')).toContain('POST');
  });
});
