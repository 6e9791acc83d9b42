import { createHash, randomUUID } from 'node:crypto';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minimalPdf, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { CircuitPage, CircuitView } from './circuit-view.ts';
import { deflateSync } from 'node:zlib';
import { pagesPdf } from '../../../../libs/pdf-sealing/src/made-pdf.fixture.ts';
import { DEFINITION, draftCircuit, hazardousPdf, publishedCircuit, succeeded, uploadPdf } from './circuits.fixture.ts';

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

function create<Body = CircuitView>(body: unknown, key = tenant.apiKey) {
  return signing.call<Body>('/v1/circuits', { key, body });
}

function show(id: string, key = tenant.apiKey) {
  return signing.call<CircuitView>(`/v1/circuits/${id}`, { key });
}

function define<Body = CircuitView>(id: string, body: unknown, key = tenant.apiKey) {
  return signing.call<Body>(`/v1/circuits/${id}/definition`, { method: 'PUT', key, body });
}

function act<Body = CircuitView>(id: string, action: 'publish' | 'clone', key = tenant.apiKey) {
  return signing.call<Body>(`/v1/circuits/${id}/${action}`, { method: 'POST', key });
}

const pointers = (problem: Problem) => problem.errors?.map(({ pointer }) => pointer);

describe('POST /v1/circuits', () => {
  test('makes a draft', async () => {
    const { status, body } = await create({ code: 'sale', name: 'Compraventa' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cir_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      code: 'sale',
      name: 'Compraventa',
      status: 'draft',
      version: 1,
      page_count: null,
      base_pdf_sha256: null,
      signers: [],
      fields: [],
      document_access: 'link',
      attach_document: false,
      external_ref: null,
      metadata: {},
      warnings: [],
      created_at: expect.any(String),
      published_at: null,
    });
    expect((await show(body.id)).body).toEqual(body);
  });

  test('keeps external_ref and metadata for every version, and is found by the reference', async () => {
    const own = { external_ref: 'form-12', metadata: { area: 'Crédito' } };
    const { id } = succeeded(await create({ code: 'sale', name: 'Uno', ...own }));
    await create({ code: 'other', name: 'Dos', external_ref: 'form-13' });
    const list = await signing.call<CircuitPage>('/v1/circuits?external_ref=form-12', { key: tenant.apiKey });
    expect(list.body.data).toMatchObject([{ id, ...own }]);
    expect((await act(id, 'clone')).body).toMatchObject({ version: 2, ...own });
  });

  test('a code that the tenant has is 409, for another tenant it is free', async () => {
    await create({ code: 'sale', name: 'Uno' });
    const { status, body } = await create<Problem>({ code: 'sale', name: 'Dos' });
    expect([status, body.type]).toEqual([409, 'http://platform.test/problems/duplicate-key']);
    const other = await testTenant(database);
    expect((await create({ code: 'sale', name: 'Tres' }, other.apiKey)).status).toBe(201);
  });

  test('of many at once with one code, one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ code: 'race', name: 'x' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test.each([
    [{}, ['/code', '/name']],
    [{ code: 'A b', name: 'x\ny' }, ['/code', '/name']],
    [{ code: 'c'.repeat(65), name: '' }, ['/code', '/name']],
    [{ code: 'c', name: 'n'.repeat(201), colour: 1 }, ['/colour', '/name']],
    [{ code: 1, name: null }, ['/code', '/name']],
  ])('%j is refused with pointers', async (body, expected) => {
    const answer = await create<Problem>(body);
    expect(answer.status).toBe(400);
    expect([...new Set(pointers(answer.body))]).toEqual(expected);
  });
});

describe('GET /v1/circuits', () => {
  test('pages through the circuits, newest first, by code and by status', async () => {
    const ids: string[] = [];
    for (const code of ['a', 'b', 'c']) ids.unshift(succeeded(await create({ code, name: code })).id);
    const list = async (query: string) =>
      succeeded(await signing.call<CircuitPage>(`/v1/circuits?${query}`, { key: tenant.apiKey }));
    const first = await list('limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([rest.data.map(({ id }) => id), rest.next_cursor]).toEqual([ids.slice(2), null]);
    expect((await list('code=b')).data.map(({ code }) => code)).toEqual(['b']);
    expect((await list('status=published')).data).toEqual([]);
    const { status } = await signing.call('/v1/circuits?status=open', { key: tenant.apiKey });
    expect(status).toBe(400);
  });
});

describe('POST /v1/circuits/{id}/base-pdf', () => {
  test('keeps the bytes as they are, and another upload takes their place', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null, definition: null });
    const missing = await signing.call(`/v1/circuits/${id}/base-pdf`, { key: tenant.apiKey });
    expect(missing.status).toBe(404);
    await uploadPdf(signing, tenant.apiKey, id, minimalPdf(1));
    const pdf = minimalPdf(3);
    const { status, body } = await uploadPdf(signing, tenant.apiKey, id, pdf);
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    expect(status).toBe(200);
    expect(body).toMatchObject({ page_count: 3, base_pdf_sha256: sha256, warnings: [] });
    const download = await signing.call(`/v1/circuits/${id}/base-pdf`, { key: tenant.apiKey });
    expect(download.bytes.equals(pdf)).toBe(true);
    expect(download.headers.get('etag')).toBe(`"${sha256}"`);
  });

  test('what cannot be read is kept with a warning, and refused at publishing', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null });
    const { body } = await uploadPdf(signing, tenant.apiKey, id, Buffer.from('%PDF-1.7\nnothing'));
    expect(body).toMatchObject({ page_count: null, warnings: [{ code: 'invalid_pdf' }] });
    const refused = await act<Problem>(id, 'publish');
    expect(refused.status).toBe(409);
    expect(refused.body.errors).toMatchObject([{ pointer: '/base_pdf', code: 'invalid_pdf' }]);
  });

  test.each([
    ['application/pdf', Buffer.from('no pdf'), 400],
    ['application/json', Buffer.from('{}'), 415],
    ['application/pdf', Buffer.alloc(0), 400],
  ])('%s %s is %i', async (type, body, expected) => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null, definition: null });
    const headers = { 'content-type': type };
    const { status } = await signing.call(`/v1/circuits/${id}/base-pdf`, { key: tenant.apiKey, headers, body });
    expect(status).toBe(expected);
  });
});

describe('PUT /v1/circuits/{id}/definition', () => {
  test('keeps signers and fields, with the sizes that a field of its type has', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { definition: null });
    const types = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'];
    const fields = types.map((type) => ({ key: type, page: 1, x: 10, y: 10, type, signer: 'buyer' }));
    const body = { signers: [{ role: 'buyer', auth: ['access_code', 'otp_email'], order: 3 }], fields };
    const { status, body: circuit } = await define(id, { ...body, document_access: 'authenticated' });
    expect(status).toBe(200);
    expect(circuit.document_access).toBe('authenticated');
    expect(circuit.signers).toEqual(body.signers);
    expect(circuit.fields.map(({ width, height }) => [width, height])).toEqual([
      [180, 48],
      [60, 32],
      [180, 18],
      [90, 18],
      [180, 18],
      [14, 14],
    ]);
    expect(circuit.fields.every(({ required }) => required)).toBe(true);
    const own = { ...fields[0], width: 99.5, height: 20, required: false, label: 'Firme aquí' };
    const changed = succeeded(await define(id, { ...body, fields: [own] }));
    expect(changed).toMatchObject({ fields: [own], document_access: 'link' });
  });

  const SIGNER = { role: 'buyer', auth: ['otp_email'], order: 1 };
  const FIELD = { key: 'a', page: 1, x: 1, y: 1, type: 'signature', signer: 'buyer' };
  const many = <T>(count: number, item: (nth: number) => T) => Array.from({ length: count }, (_, nth) => item(nth));

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['/fields', '/signers']],
    ['no lists', { signers: {}, fields: 'x' }, ['/fields', '/signers']],
    ['a signer without anything', { signers: [{}], fields: [] }, ['/signers/0/auth', '/signers/0/order', '/signers/0/role']],
    [
      'wrong members of a signer',
      { signers: [{ role: 'A', auth: ['sms'], order: 0 }, { role: 'b', auth: [], order: 1.5 }], fields: [] },
      ['/signers/0/auth', '/signers/0/order', '/signers/0/role', '/signers/1/auth', '/signers/1/order'],
    ],
    ['an authentication twice', { signers: [{ ...SIGNER, auth: ['otp_email', 'otp_email'] }], fields: [] }, ['/signers/0/auth']],
    ['a role twice', { signers: [SIGNER, SIGNER], fields: [] }, ['/signers/1/role']],
    ['21 signers', { signers: many(21, (nth) => ({ ...SIGNER, role: `r${nth}` })), fields: [] }, ['/signers']],
    ['201 fields', { signers: [SIGNER], fields: many(201, (nth) => ({ ...FIELD, key: `k${nth}` })) }, ['/fields']],
    [
      'wrong members of a field',
      {
        signers: [SIGNER],
        fields: [{ key: 'a b', page: 0, x: '1', y: null, type: 'stamp', signer: 'buyer', width: 0, height: -1, required: 1, label: '' }],
      },
      ['/fields/0/height', '/fields/0/key', '/fields/0/label', '/fields/0/page', '/fields/0/required', '/fields/0/type',
       '/fields/0/width', '/fields/0/x', '/fields/0/y'],
    ],
    [
      'a rule broken within and others between the members, at once',
      { signers: [{ ...SIGNER, order: 'x' }], fields: [FIELD, { ...FIELD, signer: 'nobody' }], colour: 1 },
      ['/colour', '/fields/1/key', '/fields/1/signer', '/signers/0/order'],
    ],
  ])('%s: everything is reported at once, with pointers', async (_, body, expected) => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null, definition: null });
    const answer = await define<Problem>(id, body);
    expect(answer.status).toBe(400);
    expect([...new Set(pointers(answer.body))].sort()).toEqual(expected);
  }); // prettier-ignore

  test.each(['null', '[]', '"x"', '{'])('the body %s is 400', async (body) => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null, definition: null });
    const headers = { 'content-type': 'application/json' };
    const route = `/v1/circuits/${id}/definition`;
    expect((await signing.call(route, { method: 'PUT', key: tenant.apiKey, headers, body })).status).toBe(400);
  });
});

describe('If-Match of PUT /v1/circuits/{id}/definition', () => {
  const put = <Body>(id: string, x: number, tag: string) =>
    signing.call<Body>(`/v1/circuits/${id}/definition`, {
      method: 'PUT',
      key: tenant.apiKey,
      body: { ...DEFINITION, fields: DEFINITION.fields.map((field) => ({ ...field, x })) },
      headers: { 'If-Match': tag },
    });
  const tagOf = async (id: string) => (await show(id)).headers.get('etag') ?? '';

  test('of two changes at the same moment one is made, which can be sent again; the other is refused', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null });
    const before = await tagOf(id);
    const answers = await Promise.all([10, 20].map((x) => put<CircuitView & { type?: string }>(id, x, before)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.type).toMatch(/state-conflict$/);
    const won = answers.find(({ status }) => status === 200);
    const now = await show(id);
    expect([now.body, now.headers.get('etag')]).toEqual([won?.body, won?.headers.get('etag')]);
    expect((await put(id, won === answers[0] ? 10 : 20, before)).status).toBe(200); // its answer was lost
    expect((await put(id, 30, await tagOf(id))).status).toBe(200);
  });

  test('another base PDF is another version, too', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null });
    const before = await tagOf(id);
    await uploadPdf(signing, tenant.apiKey, id, minimalPdf(2));
    expect((await put(id, 10, before)).status).toBe(409);
  });
});

describe('POST /v1/circuits/{id}/publish', () => {
  test('refuses a PDF with JavaScript, a launch action and an embedded file, each with its place', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null });
    const { body } = await uploadPdf(signing, tenant.apiKey, id, hazardousPdf());
    const codes = ['has_javascript', 'has_automatic_action', 'has_launch_action', 'has_embedded_file'];
    expect(new Set(body.warnings.map(({ code }) => code))).toEqual(new Set(codes));
    const refused = await act<Problem>(id, 'publish');
    expect(refused.status).toBe(409);
    const errors = refused.body.errors as { pointer: string; code: string; detail: string }[];
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(codes));
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set(['/base_pdf']));
    expect(errors.find(({ code }) => code === 'has_launch_action')?.detail).toContain(
      'an annotation on page 2 (object 20)',
    );
  });

  test('refuses 2 KB of page content that inflate to 900 MB, without inflating them', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null });
    const bomb = deflateSync(deflateSync(Buffer.alloc(900 * 1024 * 1024, ' '), { level: 9 }), { level: 9 });
    const pdf = pagesPdf(['/MediaBox [0 0 595 842] /Contents 20 0 R', '/MediaBox [0 0 595 842]'])
      .stream(20, bomb, '/Filter [/FlateDecode /FlateDecode]')
      .bytes();
    expect(pdf.length).toBeLessThan(8_000);
    await uploadPdf(signing, tenant.apiKey, id, pdf);
    const refused = await act<Problem>(id, 'publish');
    expect(refused.status).toBe(409);
    expect(refused.body.errors).toMatchObject([{ pointer: '/base_pdf', code: 'content_too_large' }]);
  });

  test('refuses codes to phones where no sender is configured for them', async () => {
    const signers = DEFINITION.signers.map((signer) => ({ ...signer, auth: ['otp_email', 'otp_whatsapp'] }));
    const id = await draftCircuit(signing, tenant.apiKey, { definition: { ...DEFINITION, signers } });
    const refused = await act<Problem>(id, 'publish');
    expect([refused.status, pointers(refused.body)]).toEqual([409, ['/signers/0/auth/1', '/signers/1/auth/1']]);
    expect(refused.body.errors?.[0]?.detail).toContain('no sender is configured');
  });

  test('publishes what is whole', async () => {
    const id = await draftCircuit(signing, tenant.apiKey);
    const { status, body } = await act(id, 'publish');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'published', version: 1, published_at: expect.any(String) });
  });

  test('lists everything that is missing', async () => {
    const id = await draftCircuit(signing, tenant.apiKey, { pdf: null, definition: null });
    const empty = await act<Problem>(id, 'publish');
    expect(empty.status).toBe(409);
    expect(empty.body.type).toBe('http://platform.test/problems/state-conflict');
    expect(pointers(empty.body)).toEqual(['/base_pdf', '/signers']);
    const fields = [
      { ...DEFINITION.fields[0], type: 'initials' },
      { ...DEFINITION.fields[2], page: 3 },
    ];
    const half = await draftCircuit(signing, tenant.apiKey, { definition: { ...DEFINITION, fields } });
    expect((await act<Problem>(half, 'publish')).body.errors).toMatchObject([
      { pointer: '/signers/1', code: 'signature_field_missing' },
      { pointer: '/fields/1/page', code: 'placeholder_outside_page' },
    ]);
  });

  test('every box that leaves its page is listed', async () => {
    const at = (key: string, x: number, y: number) => ({ ...DEFINITION.fields[0], key, x, y });
    const fields = [
      at('in', 10, 10),
      at('right', 500, 10),
      at('top', 10, 830),
      at('left', -1, 10),
      at('edge', 415, 794),
    ];
    const definition = { signers: [DEFINITION.signers[1]], fields };
    const id = await draftCircuit(signing, tenant.apiKey, { definition });
    const { status, body } = await act<Problem>(id, 'publish');
    expect(status).toBe(409);
    expect(pointers(body)).toEqual(['/fields/1', '/fields/2', '/fields/3']);
    expect((await show(id)).body.status).toBe('draft');
  });

  test('deprecates the version before, at once, and at most one is published whatever happens at once', async () => {
    const first = await publishedCircuit(signing, tenant.apiKey);
    const drafts = await Promise.all(Array.from({ length: 3 }, () => act(first, 'clone')));
    expect(drafts.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(drafts.map(({ body }) => body.version).sort()).toEqual([2, 3, 4]);
    const answers = await Promise.all(drafts.map(({ body }) => act(body.id, 'publish')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const all = await Promise.all([first, ...drafts.map(({ body }) => body.id)].map((id) => show(id)));
    expect(all.map(({ body }) => body.status).sort()).toEqual(['deprecated', 'deprecated', 'deprecated', 'published']);
    expect((await show(first)).body.status).toBe('deprecated');
  });

  test('of many at once on one draft, one publishes', async () => {
    const id = await draftCircuit(signing, tenant.apiKey);
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(id, 'publish')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('what is defined while the draft is published is either published or refused', async () => {
    const id = await draftCircuit(signing, tenant.apiKey);
    const fields = [...DEFINITION.fields, { ...DEFINITION.fields[0], key: 'late', x: 5_000 }];
    const [published, defined] = await Promise.all([act(id, 'publish'), define(id, { ...DEFINITION, fields })]);
    expect([published.status, defined.status].sort()).toEqual([200, 409]);
    const { body } = await show(id);
    if (body.status === 'published') expect(body.fields.map(({ key }) => key)).not.toContain('late');
    else expect(body.fields.map(({ key }) => key)).toContain('late');
  });
});

describe('POST /v1/circuits/{id}/clone', () => {
  test('copies the PDF and the definition into the next version', async () => {
    const definition = { ...DEFINITION, document_access: 'authenticated' };
    const id = await publishedCircuit(signing, tenant.apiKey, { definition });
    const { body: original } = await show(id);
    const { status, body } = await act(id, 'clone');
    expect(status).toBe(201);
    expect(body).toEqual({
      ...original,
      id: expect.not.stringMatching(id),
      version: 2,
      status: 'draft',
      published_at: null,
      created_at: expect.any(String),
    });
  });
});

describe('a circuit that is published or deprecated', () => {
  test.each(['published', 'deprecated'])('%s: takes no change, and says what it takes', async (state) => {
    const id = await publishedCircuit(signing, tenant.apiKey);
    if (state === 'deprecated') succeeded(await act(succeeded(await act(id, 'clone')).id, 'publish'));
    const answers = [
      await uploadPdf(signing, tenant.apiKey, id, minimalPdf(1)),
      await define(id, DEFINITION),
      await act(id, 'publish'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(409);
      expect(body).toMatchObject({
        type: 'http://platform.test/problems/state-conflict',
        status_of_circuit: state,
        allowed_actions: ['clone'],
      });
    }
    expect((await act(id, 'clone')).status).toBe(201);
  });
});

test("another tenant's circuit is as unknown as one that never was", async () => {
  const id = await publishedCircuit(signing, tenant.apiKey);
  const unknown = `cir_0${randomUUID()
    .replaceAll('-', '')
    .slice(0, 25)
    .replaceAll(/[ilou]/g, 'a')}`;
  const { apiKey } = await testTenant(database);
  const calls: [string, string][] = [['GET', ''], ['GET', '/base-pdf'], ['POST', '/publish'], ['POST', '/clone']]; // prettier-ignore
  for (const [method, rest] of calls) {
    const [theirs, nobodys] = await Promise.all(
      [id, unknown].map((one) => signing.call(`/v1/circuits/${one}${rest}`, { method, key: apiKey })),
    );
    expect([theirs?.status, nobodys?.status]).toEqual([404, 404]);
    const plain = ({ request_id: _, instance: __, ...rest }: Problem) => rest;
    expect(plain(theirs?.body as Problem)).toEqual(plain(nobodys?.body as Problem));
  }
  expect((await define(id, DEFINITION, apiKey)).status).toBe(404);
  expect((await uploadPdf(signing, apiKey, id, minimalPdf(1))).status).toBe(404);
});

describe('DELETE /v1/circuits/{id}', () => {
  const discard = (id: string, { key = tenant.apiKey, etag }: { key?: string; etag?: string } = {}) =>
    signing.call<Problem & { allowed_actions: string[] }>(`/v1/circuits/${id}`, {
      method: 'DELETE',
      key,
      headers: etag === undefined ? {} : { 'if-match': etag },
    });

  test('discards a draft; the published version stays, and the audit log has both', async () => {
    const published = await publishedCircuit(signing, tenant.apiKey);
    const before = (await show(published)).body;
    const draft = succeeded(await act(published, 'clone'));
    expect((await discard(draft.id)).status).toBe(204);
    expect([(await show(draft.id)).status, (await discard(draft.id)).status]).toEqual([404, 404]);
    expect((await show(published)).body).toEqual(before);
    const entries = await database.query(
      `select type, object_id, actor_name, data::jsonb as data from platform.audit_entry where tenant_id = $1 order by seq`,
      [tenant.id],
    );
    const values = { code: draft.code, name: draft.name, pdf_sha256: draft.base_pdf_sha256 };
    expect(entries).toEqual([
      {
        type: 'circuit.published',
        object_id: published,
        actor_name: 'default',
        data: { after: { ...values, version: 1 } },
      },
      {
        type: 'circuit.discarded',
        object_id: draft.id,
        actor_name: 'default',
        data: { before: { ...values, version: 2 } },
      },
    ]);
    expect(succeeded(await act(published, 'clone')).version).toBe(2);
  });

  test('is refused for what is or was published, for a draft that somebody changed, and for that of another tenant', async () => {
    const id = await publishedCircuit(signing, tenant.apiKey);
    const refused = await discard(id);
    expect([refused.status, refused.body.allowed_actions]).toEqual([409, ['clone']]);
    const draft = succeeded(await act(id, 'clone'));
    expect((await discard(draft.id, { etag: '"somebody-elses"' })).status).toBe(409);
    expect((await discard(draft.id, { key: (await testTenant(database)).apiKey })).status).toBe(404);
    succeeded(await act(draft.id, 'publish'));
    expect([(await discard(id)).status, (await discard(draft.id)).status]).toEqual([409, 409]);
  });
});
