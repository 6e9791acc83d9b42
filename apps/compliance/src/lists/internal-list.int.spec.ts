import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listsLoaded, seededDraft } from '../compliance-setups.fixture.ts';
import { csvOf, importEntries } from './list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';
import type { ListView } from './list-view.ts';

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
