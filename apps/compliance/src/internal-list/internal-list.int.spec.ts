import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listsLoaded, seededDraft } from '../compliance-setups.fixture.ts';
import { csvOf, importEntries } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';
import type { ListChangePage } from '../list-history/change-view.ts';
import type { ListVersionPage } from '../list-history/version-view.ts';
import type { ListView } from '../lists/list-view.ts';
import type { ListPreviewView } from './preview-internal-list.ts';

const HEADER = 'id,kind,name,aliases,weak_aliases,birth_date,countries,identifiers,programmes,role,role_until';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  await listsLoaded(compliance, (await testTenant(database)).apiKey);
});
beforeEach(async () => {
  tenant = await testTenant(database);
});
afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const put = (body: string, { key = tenant.apiKey, type = 'text/csv', ...headers }: Record<string, string> = {}) =>
  compliance.call<ListView & { errors?: { code: string; detail: string }[] }>('/v1/lists/INTERNAL', {
    method: 'PUT',
    key,
    body,
    headers: { 'content-type': type, ...headers },
  });

const ownLists = async (key = tenant.apiKey) =>
  (await compliance.call<{ data: ListView[] }>('/v1/lists', { key })).body.data.filter(
    ({ code }) => code === 'INTERNAL',
  );

async function hitsOf(name: string, key = tenant.apiKey): Promise<[string, string][]> {
  await seededDraft(compliance, key);
  const body = { subject_ref: 'x', subject_type: 'natural', payload: { full_name: name } };
  const { body: found } = await compliance.call<ScreeningView>('/v1/screenings/dry-run', { key, body });
  return found.hits.map(({ list, entry_id }) => [list, entry_id]);
}

const csv = csvOf([{ id: 'I-1', name: 'Vetada Propia Conocida' }]).toString();

describe('the list of a tenant', () => {
  it('is screened against by that tenant, and known to no other', async () => {
    const other = await testTenant(database);
    const { status, body } = await put(csv);
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 'INTERNAL', entries: 1, own: true, stale: false, fictional: false });
    expect(body.version).toMatch(/^1-[0-9a-f]{8}$/);
    expect(await hitsOf('Vetada Propia Conocida')).toEqual([['INTERNAL', 'I-1']]);
    expect(await hitsOf('Vetada Propia Conocida', other.apiKey)).toEqual([]);
    expect(await ownLists(other.apiKey)).toEqual([]);
  });

  it('is replaced as a whole, may be emptied, and stays when nothing is new', async () => {
    await put(csv);
    const again = await put(csv);
    expect(again.body.version).toMatch(/^1-/);
    const next = await put(csvOf([{ id: 'I-2', name: 'Otra Persona Distinta' }]).toString());
    expect(next.body.version).toMatch(/^2-/);
    expect(await hitsOf('Vetada Propia Conocida')).toEqual([]);
    const emptied = await put('id,kind,name\n');
    expect([emptied.status, emptied.body.entries]).toEqual([200, 0]);
    expect(await hitsOf('Otra Persona Distinta')).toEqual([]);
  });

  it('is in the audit log each time that it is replaced, with counts and no names', async () => {
    const longer = csvOf(
      ['Vetada Propia Conocida', 'Otra'].map((name, nth) => ({ id: `I-${nth + 1}`, name })),
    ).toString();
    for (const body of [csv, csv, longer, 'not,a,list\n']) await put(body);
    const entries = await database.query<{ after: object }>(
      `select object_id, actor_name, data::jsonb -> 'after' as after from platform.audit_entry
        where tenant_id = $1 and type = 'internal_list.replaced' order by seq`,
      [tenant.id],
    );
    const version = expect.stringMatching(/^[12]-/) as string;
    const of = (after: object) => ({ object_id: 'INTERNAL', actor_name: 'default', after });
    expect(entries).toEqual([
      of({ version, entries: 1, added: 1, changed: 0, removed: 0 }),
      of({ version, entries: 2, added: 1, changed: 0, removed: 0 }),
    ]);
  });

  it('stands beside the operator’s', async () => {
    await importEntries(compliance, 'INTERNAL', [{ id: 'OP-1', name: 'Vetada Propia Conocida' }], { force: true });
    await put(csv);
    expect((await ownLists()).map(({ own }) => own)).toEqual([false, true]);
    expect(await hitsOf('Vetada Propia Conocida')).toEqual([
      ['INTERNAL', 'I-1'],
      ['INTERNAL', 'OP-1'],
    ]);
  });

  it('is refused with its line when it cannot be read, and the one before stays', async () => {
    await put(csv);
    const broken: [string, string, RegExp][] = [
      ['id,name,birth_date\nA,Alguien,ayer\n', 'malformed', /^Line 2: .*ayer/],
      ['id,nombre\nA,Alguien\n', 'wrong_format', /lacks name.*unknown nombre/],
      ['id,name\nA,Alguien\nA,Otro\n', 'malformed', /^Line 3: .*Give each row its own/],
      ['<html></html>', 'wrong_format', /./],
    ];
    for (const [text, code, detail] of broken) {
      const { status, body } = await put(text);
      expect([status, body.errors?.[0]?.code], text).toEqual([400, code]);
      expect(body.errors?.[0]?.detail).toMatch(detail);
    }
    expect(await hitsOf('Vetada Propia Conocida')).toContainEqual(['INTERNAL', 'I-1']);
  });

  it('is CSV, not empty, and at most 5 MB', async () => {
    expect((await put('{}', { type: 'application/json' })).status).toBe(415);
    expect((await put('')).status).toBe(400);
    expect((await put('x'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('names who put it', async () => {
    await put(csv, { 'x-actor': 'ana.oficial' });
    const rows = await database.query('select operator from compliance.list_version where tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([{ operator: 'ana.oficial' }]);
  });
});

describe('a change of the tenant’s own list', () => {
  const show = async (key = tenant.apiKey) => {
    const response = await fetch(`${compliance.url}/v1/lists/INTERNAL`, { headers: { 'x-api-key': key } });
    return { text: await response.text(), etag: response.headers.get('etag') ?? '' };
  };
  const preview = (body: string) =>
    compliance.call<ListPreviewView>('/v1/lists/INTERNAL/preview', {
      key: tenant.apiKey,
      body,
      headers: { 'content-type': 'text/csv' },
    });
  const read = <Answer>(path: string, key = tenant.apiKey) => compliance.call<Answer>(`/v1/lists/${path}`, { key });

  it('begins with the list as it is, and is refused when somebody was faster', async () => {
    expect(await show()).toEqual({ text: `${HEADER}\r\n`, etag: '"none"' });
    await put(csv, { 'if-match': '"none"' });
    const { text, etag } = await show();
    expect(text).toBe(`${HEADER}\r\nI-1,person,Vetada Propia Conocida,,,,,,,,\r\n`);
    const added = await put(`${text}I-2,,Otra Persona,,,,,,,,\r\n`, { 'if-match': etag });
    expect([added.status, added.body.entries]).toEqual([200, 2]);
    const again = await put(`${text}I-2,,Otra Persona,,,,,,,,\r\n`, { 'if-match': etag }); // its answer was lost
    expect([again.status, again.body]).toEqual([200, added.body]);
    expect((await put(csv, { 'if-match': etag })).status).toBe(409);
    expect((await put(csv, { 'if-match': '"none"' })).status).toBe(409);
    expect((await show()).text.split('\r\n')).toHaveLength(4);
  });

  it('is shown before anything is stored, and so is every line that is wrong', async () => {
    await put(csv);
    const { body } = await preview('id,name\nI-1,Vetada Propia\nI-2,Otra\n');
    expect(body).toEqual({ valid: true, entries: 2, added: 1, changed: 1, removed: 0, faults: [] });
    const wrong = await preview('id,name,birth_date\nA,Alguien,ayer\nA,Otro,\nB,,\n');
    expect(wrong.body).toMatchObject({ valid: false, entries: 0 });
    expect(wrong.body.faults.map(({ line, code }) => [line, code])).toEqual([
      [2, 'malformed'],
      [4, 'malformed'],
    ]);
    expect((await preview('id,name\n')).body).toMatchObject({ valid: true, entries: 0, removed: 1 });
    expect((await read<ListVersionPage>('versions?list=INTERNAL&own=true')).body.data).toHaveLength(1);
  });

  it('stays as a version with what it changed, for this tenant alone', async () => {
    const other = await testTenant(database);
    await put(csv, { 'x-actor': 'ana.oficial' });
    await put('id,nombre\nA,Alguien\n');
    await put(
      csvOf([
        { id: 'I-1', name: 'Vetada Propia', countries: 'CO' },
        { id: 'I-2', name: 'Otra' },
      ]).toString(),
    );
    const { body } = await read<ListVersionPage>('versions?list=INTERNAL&own=true');
    expect(body.data).toMatchObject([
      { status: 'active', entries: 2, added: 1, changed: 1, removed: 0, rescreening: null },
      { status: 'refused', refusal: 'wrong_format' },
      { status: 'superseded', entries: 1, added: 1, imported_by: 'ana.oficial' },
    ]);
    const named = `list=INTERNAL&own=true&version=${body.data[0]?.version}`;
    const first = await read<ListChangePage>(`changes?${named}&limit=1`);
    expect(first.body.data).toMatchObject([
      { change: 'added', entry_id: 'I-2', before: null, after: { name: 'Otra' } },
    ]);
    const second = await read<ListChangePage>(`changes?${named}&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({
      data: [{ change: 'changed', before: { name: 'Vetada Propia Conocida' }, after: { countries: ['CO'] } }],
      next_cursor: null,
    });
    expect((await read<ListChangePage>(`changes?${named}&change=removed`)).body.data).toEqual([]);
    expect((await read<ListVersionPage>('versions?list=INTERNAL&own=true', other.apiKey)).body.data).toEqual([]);
    expect((await read(`changes?${named}`, other.apiKey)).status).toBe(404);
    expect((await read('versions?list=PEP&own=true')).status).toBe(400);
  });

  it('is like that of the operator, of whom nobody is named', async () => {
    const { body } = await read<ListVersionPage>('versions?list=PEP');
    expect(body.data[0]).toMatchObject({ list: 'PEP', status: 'active', imported_by: null });
    const { data } = (await read<ListChangePage>(`changes?list=PEP&version=${body.data[0]?.version}&limit=2`)).body;
    expect(data.map(({ change }) => change)).toEqual(['added', 'added']);
  });
});

describe('a deployment without a mandatory list', () => {
  it('screens nobody', async () => {
    const empty = await testDatabase();
    const production = await runningCompliance(empty, { LISTS_MANDATORY: 'OFAC,ONU' });
    const known = await testTenant(empty);
    await listsLoaded(production, known.apiKey);
    await empty.query(`update compliance.list_version set status = 'superseded' where list = 'ONU'`);
    await empty.query(`update compliance.list_clock set ticks = ticks + 1`);
    await seededDraft(production, known.apiKey);
    const body = { subject_ref: 'x', subject_type: 'natural', payload: { full_name: 'Quien Sea' } };
    let answer = await production.call('/v1/screenings/dry-run', { key: known.apiKey, body });
    for (let tries = 0; answer.status === 200 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer = await production.call('/v1/screenings/dry-run', { key: known.apiKey, body });
    }
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ missing_lists: ['ONU'] });
    await production.close();
    await empty.drop();
  });
});
