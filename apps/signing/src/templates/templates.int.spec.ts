import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minimalPdf, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { TemplatePage, TemplateView } from './template-view.ts';

const MB25 = 25 * 1024 * 1024;
const PDF = { 'content-type': 'application/pdf' };
const NAME = { key: 'full_name', page: 1, x: 72, y: 700.5, size: 11, required: true, max_width: 200 };

let database: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

function upload<Body = TemplateView>(
  query: string,
  body: unknown = minimalPdf(),
  headers: Record<string, string> = {},
) {
  return signing.call<Body>(`/v1/templates${query}`, {
    method: 'POST',
    key: tenant.apiKey,
    headers: { ...PDF, ...headers },
    body,
  });
}

/** What an upload left behind: rows and files of the tenant. */
async function leftBehind(): Promise<{ rows: number; files: number }> {
  const [row] = await database.query<{ n: number }>(
    'select count(*)::int as n from signing.template where tenant_id = $1',
    [tenant.id],
  );
  const folder = `${signing.folder}/templates/${tenant.id}`;
  return { rows: row?.n ?? 0, files: fs.existsSync(folder) ? fs.readdirSync(folder).length : 0 };
}

describe('POST /v1/templates', () => {
  test('keeps the PDF and answers with what it found', async () => {
    const pdf = minimalPdf(2);
    const placeholders = JSON.stringify([NAME, { key: 'amount', page: 2, x: 10, y: 20 }]);
    const { status, body } = await upload('?code=loan&name=Cr%C3%A9dito', pdf, { 'x-placeholders': placeholders });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^tpl_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      code: 'loan',
      name: 'Crédito',
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sha256: createHash('sha256').update(pdf).digest('hex'),
      page_count: 2,
      placeholders: [NAME, { key: 'amount', page: 2, x: 10, y: 20, size: 12, required: false }],
      warnings: [],
      archived_at: null,
      external_ref: null,
      metadata: {},
    });
  });

  test('external_ref and metadata are kept, and the reference finds the template', async () => {
    const own = { external_ref: 'T-1', metadata: { área: 'crédito' } };
    const query = new URLSearchParams({ ...own, code: 'own', metadata: JSON.stringify(own.metadata) }).toString();
    expect((await upload(`?${query}`)).body).toMatchObject(own);
    await upload('?code=other&external_ref=T-2');
    const found = await signing.call('/v1/templates?external_ref=T-1', { key: tenant.apiKey });
    expect(found.body).toMatchObject({ data: [{ code: 'own', ...own }] });
  });

  test('the name defaults to the code, and a template needs no placeholders', async () => {
    const { body } = await upload('?code=plain');
    expect(body).toMatchObject({ code: 'plain', name: 'plain', placeholders: [] });
  });

  test('a placeholder outside the page is a warning, not a refusal', async () => {
    const placeholders = JSON.stringify([{ ...NAME, page: 3 }]);
    const { status, body } = await upload('?code=outside', minimalPdf(2), { 'x-placeholders': placeholders });
    expect(status).toBe(201);
    expect(body.warnings).toEqual([{ code: 'placeholder_outside_page', detail: expect.any(String) }]);
  });

  test('a PDF that cannot be read is a warning, not a refusal', async () => {
    const { status, body } = await upload('?code=broken', Buffer.from('%PDF-1.7\nnothing else'));
    expect(status).toBe(201);
    expect(body).toMatchObject({ page_count: null, warnings: [{ code: 'invalid_pdf' }] });
  });

  test('%PDF- may begin anywhere within the first 1,024 bytes, and not later', async () => {
    const at = (offset: number) => Buffer.concat([Buffer.alloc(offset, 0x20), minimalPdf()]);
    expect((await upload('?code=junk', at(1019))).status).toBe(201);
    const late = await upload<{ errors: unknown }>('?code=late', at(1020));
    expect(late.status).toBe(400);
    expect(late.body.errors).toEqual([{ pointer: '', code: 'wrong_format', detail: expect.any(String) }]);
  });

  test('the largest allowed body is kept, one byte more is 413, with and without a Content-Length', async () => {
    const largest = Buffer.concat([minimalPdf(), Buffer.alloc(MB25)]).subarray(0, MB25);
    expect((await upload('?code=largest', largest)).status).toBe(201);

    const larger = Buffer.concat([largest, Buffer.from('x')]);
    expect((await upload('?code=larger', larger)).status).toBe(413);
    const chunked = await upload('?code=chunked', new Blob([larger]).stream());
    expect(chunked.status).toBe(413);
    expect(chunked.body).toMatchObject({ type: 'http://platform.test/problems/payload-too-large', status: 413 });
    expect(await leftBehind()).toEqual({ rows: 1, files: 1 });
  });

  test.each(['application/json', 'application/octet-stream', 'text/plain', 'application/pdfx'])(
    'a body of type %s is 415',
    async (type) => {
      const { status, body } = await upload('?code=a', minimalPdf(), { 'content-type': type });
      expect(status).toBe(415);
      expect(body).toMatchObject({ type: 'http://platform.test/problems/unsupported-media-type' });
    },
  );

  test('no body at all is refused', async () => {
    const { status } = await signing.call('/v1/templates?code=a', { method: 'POST', key: tenant.apiKey });
    expect(status).toBe(415);
    expect((await upload('?code=a', Buffer.alloc(0))).status).toBe(400);
  });

  test('everything wrong with query, header and body is reported at once, and nothing is left behind', async () => {
    const placeholders = JSON.stringify([{ key: '', page: 0, x: '1', y: 1 }, NAME, 7]);
    const { status, body } = await upload<{ errors: { pointer: string }[] }>('?code=L&page=1', Buffer.from('hello'), {
      'x-placeholders': placeholders,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/validation-error', instance: '/v1/templates' });
    expect(body.errors.map((error) => error.pointer)).toEqual([
      '/query/page',
      '/query/code',
      '/headers/X-Placeholders/0/key',
      '/headers/X-Placeholders/0/page',
      '/headers/X-Placeholders/0/x',
      '/headers/X-Placeholders/2',
      '',
    ]);
    expect(await leftBehind()).toEqual({ rows: 0, files: 0 });
  });

  test.each([
    ['not JSON', '{nope'],
    ['not an array', '{"key":"a"}'],
    ['too long', `[${' '.repeat(9000)}]`],
    ['deeply nested', `${'['.repeat(4000)}${']'.repeat(4000)}`],
    ['not ASCII', '[{"key":"\u00f1","page":1,"x":0,"y":0}]'],
    ['odd types', '[null, true, "x", 1e999, {"key":{"a":1},"page":[1],"x":{},"y":null,"size":"12"}]'],
  ])('X-Placeholders that is %s is 400', async (_name, header) => {
    const { status, body } = await upload('?code=a', minimalPdf(), { 'x-placeholders': header });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/validation-error' });
    expect(await leftBehind()).toEqual({ rows: 0, files: 0 });
  });

  test('a code is unique per tenant: 409, and nothing of the second upload is kept', async () => {
    await upload('?code=once');
    const second = await upload('?code=once', minimalPdf(3));
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ type: 'http://platform.test/problems/duplicate-key' });
    expect(await leftBehind()).toEqual({ rows: 1, files: 1 });

    tenant = await testTenant(database);
    expect((await upload('?code=once')).status).toBe(201);
  });

  test('of many uploads with one code at once, exactly one is kept', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload('?code=race')));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await leftBehind()).rows).toBe(1);
  });
});

describe('reading templates', () => {
  test('the document is byte for byte what was uploaded', async () => {
    const pdf = minimalPdf(4);
    const { body } = await upload('?code=bytes', pdf);
    const answer = await signing.call(`/v1/templates/${body.id}/document`, { key: tenant.apiKey });
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(pdf)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-length')).toBe(String(pdf.length));
    expect(answer.headers.get('etag')).toBe(`"${body.sha256}"`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="bytes.pdf"');
  });

  test('one template reads as it was answered on upload', async () => {
    const { body } = await upload('?code=one', minimalPdf(), { 'x-placeholders': JSON.stringify([NAME]) });
    const shown = await signing.call<TemplateView>(`/v1/templates/${body.id}`, { key: tenant.apiKey });
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual(body);
  });

  test('the list is newest first, pages without gaps or repetitions, and stands still under inserts', async () => {
    const codes = Array.from({ length: 5 }, (_, index) => `list-${index}`);
    for (const code of codes) await upload(`?code=${code}`);
    const list = (query: string) => signing.call<TemplatePage>(`/v1/templates${query}`, { key: tenant.apiKey });
    const first = await list('?limit=2');
    await upload('?code=list-new');
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    const third = await list(`?limit=2&cursor=${second.body.next_cursor}`);
    const seen = [first, second, third].flatMap((answer) => answer.body.data.map((template) => template.code));
    expect(seen).toEqual([...codes].reverse());
    expect(third.body.next_cursor).toBeNull();
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=!', 'cursor=WzFd', 'cursor=WyJ4Il0', 'nope=1'])(
    'a list with %s is 400',
    async (query) => {
      const { status, body } = await signing.call(`/v1/templates?${query}`, { key: tenant.apiKey });
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(1);
    },
  );

  test("another tenant's template, an unknown one and a malformed id are the same 404", async () => {
    const { body } = await upload('?code=mine');
    const other = await testTenant(database);
    const unknown = 'tpl_00000000000000000000000000';
    for (const suffix of ['', '/document']) {
      const answers = await Promise.all(
        [body.id, unknown, 'nonsense', body.id.toUpperCase()].map((id) =>
          signing.call(`/v1/templates/${id}${suffix}`, { key: other.apiKey }),
        ),
      );
      const shown = answers.map(({ status, body: { instance: _instance, request_id: _id, ...rest } }) => ({
        status,
        rest,
      }));
      expect(shown[0]).toMatchObject({ status: 404, rest: { type: 'http://platform.test/problems/not-found' } });
      for (const one of shown) expect(one).toEqual(shown[0]);
    }
    expect((await signing.call<TemplatePage>('/v1/templates', { key: other.apiKey })).body.data).toEqual([]);
  });
});
