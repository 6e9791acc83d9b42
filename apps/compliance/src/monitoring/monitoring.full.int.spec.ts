import { isDeepStrictEqual } from 'node:util';
import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { csvOf, importEntries, type MadeEntry } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { MonitoredSubjectPage } from './monitored-subject-view.ts';
import type { ScreeningView } from '../screenings/screening-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

/** On ONU in every version: a list must have somebody. */
const ALWAYS: MadeEntry[] = Array.from({ length: 40 }, (_, nth) => ({
  id: `ALWAYS-${nth}`,
  name: `Permanente Ficticio ${'abcdefghij'[nth % 10]}${'klmn'[Math.floor(nth / 10)]}oria`,
}));

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  await listsLoaded(compliance, (await testTenant(database)).apiKey);
});
beforeEach(async () => {
  tenant = await testTenant(database);
  await seededValidation(compliance, tenant.apiKey);
});
afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const onu = (entries: MadeEntry[]) => importEntries(compliance, 'ONU', [...ALWAYS, ...entries]);

async function screen(subject_ref: string, payload: object, subject_type = 'natural'): Promise<ScreeningView> {
  const body = { subject_ref, subject_type, payload: { country_code: 'CO', birth_date: '1980-01-02', ...payload } };
  const answer = await compliance.call('/v1/screenings', { key: tenant.apiKey, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as unknown as ScreeningView;
}

async function screenings(query = ''): Promise<ScreeningView[]> {
  const { body } = await compliance.call<{ data: ScreeningView[] }>(`/v1/screenings?limit=100${query}`, {
    key: tenant.apiKey,
  });
  return body.data;
}

const updates = () => screenings('&trigger=list_update');

async function jobs(): Promise<{ list: string; status: string; pass: string; subjects: number; rescreened: number }[]> {
  return database.query(
    `select list, status, pass, subjects, rescreened, affected from compliance.rescreen_job where tenant_id = $1 order by requested_at`,
    [tenant.id],
  );
}

/** Every first pass of the tenant is over. */
const caughtUp = () =>
  eventually(async () => {
    const waiting = (await jobs()).filter(({ pass, status }) => pass === 'first' && status !== 'done');
    expect(waiting).toEqual([]);
    expect(await jobs()).not.toEqual([]);
  }, 20_000);

describe('continuous monitoring', () => {
  it('screens again everyone whom an added entry concerns: free of charge, with a case and an event', async () => {
    await onu([]);
    await screen('concerned', { full_name: 'Benigno Novedoso Listado' });
    await screen('untouched', { full_name: 'Rosalba Tranquila Serena' });
    const before = await balance();
    await onu([{ id: 'N-1', name: 'Benigno Novedoso Listado', birthDate: '1980-01-02', countries: 'CO' }]);
    await caughtUp();

    const [update, ...more] = await updates();
    expect(more).toEqual([]);
    expect(update).toMatchObject({
      subject_ref: 'concerned',
      decision: 'reject',
      credits_debited: 0,
      list_hits: ['ONU'],
    });
    expect(await balance()).toBe(before);
    const { body: found } = await compliance.call<{ subject_ref: string; status: string }>(
      `/v1/cases/${update?.case_id}`,
      { key: tenant.apiKey },
    );
    expect(found).toMatchObject({ subject_ref: 'concerned', status: 'open' });
    const { body: monitored } = await compliance.call<MonitoredSubjectPage>('/v1/monitored-subjects', {
      key: tenant.apiKey,
    });
    expect(monitored.data.map(({ subject_ref, rescreened_at, open_case_id }) => [subject_ref, rescreened_at, open_case_id])).toEqual([
      ['concerned', update?.created_at, update?.case_id],
      ['untouched', null, null],
    ]); // prettier-ignore
    expect(Date.parse(monitored.data[0]?.monitored_since as string)).toBeLessThan(
      Date.parse(update?.created_at as string),
    );
    const events = await database.query<{ body: string }>(
      `select body from platform.event where tenant_id = $1 and event_type = 'screening.completed'`,
      [tenant.id],
    );
    const triggers = events.map(({ body }) => (JSON.parse(body) as { payload: { trigger: string } }).payload.trigger);
    expect(triggers.sort()).toEqual(['api', 'api', 'list_update']);
  });

  it('screens again whose hit was removed, and whose hit reads otherwise', async () => {
    const listed: MadeEntry = { id: 'R-1', name: 'Fulgencio Removido Pronto', birthDate: '1980-01-02' };
    const other: MadeEntry = { id: 'C-1', name: 'Casilda Cambiada Luego', programmes: 'AAA' };
    await onu([listed, other]);
    await screen('removed', { full_name: listed.name });
    await screen('changed', { full_name: other.name });
    await onu([{ ...other, programmes: 'BBB' }]);
    await caughtUp();
    const byRef = new Map((await updates()).map((one) => [one.subject_ref, one]));
    expect([...byRef.keys()].sort()).toEqual(['changed', 'removed']);
    expect(byRef.get('removed')).toMatchObject({ decision: 'approve', list_hits: [], case_id: null });
    expect(byRef.get('changed')?.hits).toMatchObject([{ entry_id: 'C-1', programmes: ['BBB'] }]);
  });

  it('finds related parties, and countries that the FATF names anew', async () => {
    await onu([]);
    const company = { full_name: 'Compañía Apacible S.A.S.', birth_date: undefined };
    await screen('company', { ...company, beneficial_owners: [{ full_name: 'Dueño Oculto Repentino' }] }, 'legal');
    await screen('country', { full_name: 'Nadie Conocido Alguno', country_code: 'PT' });
    await onu([{ id: 'O-1', name: 'Dueño Oculto Repentino' }]);
    await importFatf([['PT', 'Portugal', 'increased_monitoring']]);
    await caughtUp();
    const byRef = new Map((await updates()).map((one) => [one.subject_ref, one]));
    expect([...byRef.keys()].sort()).toEqual(['company', 'country']);
    expect(byRef.get('country')).toMatchObject({ list_hits: ['FATF'], decision: 'review' });
    await importFatf([]);
  });

  it('leaves tenants alone whose switch is off, and catches up with all that changed once it is on', async () => {
    await onu([]);
    await screen('first', { full_name: 'Primera Apagada Lista' });
    await screen('second', { full_name: 'Segundo Apagado Listo' });
    const put = (monitoring: boolean) =>
      compliance.call('/v1/compliance-settings', { method: 'PUT', key: tenant.apiKey, body: { monitoring } });
    await put(false);
    const first: MadeEntry = { id: 'S-1', name: 'Primera Apagada Lista' };
    await onu([first]);
    await onu([first, { id: 'S-2', name: 'Segundo Apagado Listo' }]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await jobs()).toMatchObject([{ list: 'ONU', status: 'pending', pass: 'first' }]); // two versions, one job
    expect(await updates()).toEqual([]);
    await put(true);
    await caughtUp();
    expect((await updates()).map(({ subject_ref }) => subject_ref).sort()).toEqual(['first', 'second']);
  }, 40_000);

  it('goes on after a process that died, screens nobody twice, and believes no late one', async () => {
    await onu([]);
    await screen('left', { full_name: 'Abandonada Media Tarea' });
    const put = (monitoring: boolean) =>
      compliance.call('/v1/compliance-settings', { method: 'PUT', key: tenant.apiKey, body: { monitoring } });
    await put(false);
    await onu([{ id: 'K-1', name: 'Abandonada Media Tarea' }]);
    const [job] = await database.query<{ id: string; lease_token: string }>(
      `update compliance.rescreen_job
          set status = 'running', attempts = 1, lease_token = gen_random_uuid(), due_at = now() + interval '1 second'
        where tenant_id = $1 returning id, lease_token`,
      [tenant.id],
    );
    await put(true);
    await caughtUp();
    expect(await updates()).toHaveLength(1);
    const late = await database.query(`select compliance.finish_rescreen($1, $2, 0) as believed`, [
      job?.id,
      job?.lease_token,
    ]);
    expect(late).toEqual([{ believed: false }]);

    // Once more from the beginning, as after a crash before the last step was noted.
    await database.query(
      `update compliance.rescreen_job set pass = 'first', status = 'pending', "position" = null, due_at = now() where id = $1`,
      [job?.id],
    );
    await caughtUp();
    expect(await updates()).toHaveLength(1);
  }, 40_000);

  it('finds in its late pass who was screened with the former version while it changed', async () => {
    await onu([]);
    await screen('waited', { full_name: 'Esperante Demorada Cruce' });
    await onu([{ id: 'L-1', name: 'Nadie Todavía Aquí' }]);
    await caughtUp();
    // What a slow process would leave: made after the first pass, with the list from before it.
    await database.query(
      `update compliance.monitored_subject
          set payload = '{"full_name": "Nadie Todavía Aquí"}', sealed_payload = null
        where tenant_id = $1`,
      [tenant.id],
    );
    await database.query(`update compliance.rescreen_job set due_at = now() where tenant_id = $1`, [tenant.id]);
    await eventually(async () => expect(await jobs()).toMatchObject([{ pass: 'late', status: 'done' }]), 20_000);
    expect((await updates()).map(({ subject_ref }) => subject_ref)).toEqual(['waited']);
  }, 40_000);

  it('does what a full rescreening would do, neither more nor less', async () => {
    const people = Array.from({ length: 120 }, (_, nth) => ({ ref: `p-${nth}`, full_name: syntheticName(nth) }));
    const versionOf = (shift: number): MadeEntry[] =>
      people
        .filter((_, nth) => nth % 3 === 0)
        .map(({ full_name }, nth) => ({
          id: `D-${nth}`,
          name:
            nth % 4 === shift
              ? full_name.split(' ').reverse().join(' ')
              : `${full_name}${nth % 5 === shift ? 'x' : ''}`,
          programmes: nth % 7 === shift ? 'NEW' : 'OLD',
        }));
    await onu(versionOf(0));
    for (const { ref, full_name } of people) await screen(ref, { full_name });
    await onu(versionOf(1).slice(2));
    await caughtUp();

    const stored = new Map<string, ScreeningView>();
    for (const one of [...(await allScreenings())].reverse()) stored.set(one.subject_ref, one);
    const changed: string[] = [];
    for (const { ref, full_name } of people) {
      const { body: full } = await compliance.call<ScreeningView>('/v1/screenings/dry-run', {
        key: tenant.apiKey,
        body: {
          subject_ref: ref,
          subject_type: 'natural',
          payload: { full_name, country_code: 'CO', birth_date: '1980-01-02' },
        },
      });
      const latest = stored.get(ref) as ScreeningView;
      expect(latest.list_hits, ref).toEqual(full.list_hits);
      expect(latest.decision, ref).toBe(full.decision);
      expect(latest.hits, ref).toEqual(full.hits);
      const original = (await screenings(`&subject_ref=${ref}&trigger=api`))[0] as ScreeningView;
      if (!isDeepStrictEqual(original.hits, full.hits)) changed.push(ref);
    }
    const updated = (await updates()).map(({ subject_ref }) => subject_ref);
    expect(updated.length).toBeGreaterThan(5);
    expect(changed.filter((ref) => !updated.includes(ref))).toEqual([]);
    const [job] = await jobs();
    expect(job).toMatchObject({ subjects: 120 });
  }, 120_000);

  it('screens with a tenant’s own list again when that changes, and only that tenant', async () => {
    const other = await testTenant(database);
    await seededValidation(compliance, other.apiKey);
    await screen('own', { full_name: 'Moroso Propio Interno' });
    const otherBody = { subject_ref: 'own', subject_type: 'natural', payload: { full_name: 'Moroso Propio Interno' } };
    await compliance.call('/v1/screenings', { key: other.apiKey, body: otherBody });
    const put = await compliance.call('/v1/lists/INTERNAL', {
      method: 'PUT',
      key: tenant.apiKey,
      body: csvOf([{ id: 'I-1', name: 'Moroso Propio Interno' }]).toString(),
      headers: { 'content-type': 'text/csv' },
    });
    expect(put.status, put.text).toBe(200);
    await caughtUp();
    expect((await updates()).map(({ hits }) => hits[0]?.list)).toEqual(['INTERNAL']);
    expect(await database.query(`select 1 from compliance.rescreen_job where tenant_id = $1`, [other.id])).toEqual([]);
  });
});

async function balance(): Promise<number> {
  const [row] = await database.query<{ available: number }>(
    'select available from platform.credit_account where tenant_id = $1',
    [tenant.id],
  );
  return row?.available ?? NaN;
}

async function importFatf(more: [string, string, string][]): Promise<void> {
  const base: [string, string, string][] = [
    ['KP', 'Korea', 'call_for_action'],
    ['IR', 'Iran', 'call_for_action'],
  ];
  const rows = [...base, ...more].map((row) => `${row.join(',')},2026-10-23,`);
  const bytes = Buffer.from(['country_code,country_name,category,status_as_of,added', ...rows, ''].join('\n'));
  await importEntries(compliance, 'FATF', [], { files: [{ name: 'fatf.csv', bytes }], force: true });
}

async function allScreenings(): Promise<ScreeningView[]> {
  const all: ScreeningView[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path: string = `/v1/screenings?limit=100${cursor ? `&cursor=${cursor}` : ''}`;
    const page = await compliance.call<{ data: ScreeningView[]; next_cursor: string | null }>(path, {
      key: tenant.apiKey,
    });
    all.push(...page.body.data);
    cursor = page.body.next_cursor;
  }
  return all;
}

/** Names that are far from one another. */
function syntheticName(nth: number): string {
  const given = [
    'Eulalia',
    'Prudencio',
    'Wenceslao',
    'Hortensia',
    'Zacarias',
    'Filomena',
    'Baldomero',
    'Quiteria',
    'Indalecio',
    'Ursula',
  ];
  const first = [
    'Montenegro',
    'Echavarria',
    'Quintanilla',
    'Bustamante',
    'Villarreal',
    'Zubizarreta',
    'Ojeda',
    'Peñaloza',
    'Iturbe',
    'Fajardo',
    'Krause',
    'Dussan',
  ];
  const second = ['Tapias', 'Gandara', 'Wilches', 'Usme', 'Yepes', 'Nuncira', 'Lozada'];
  return `${given[nth % 10]} ${first[nth % 12]} ${second[nth % 7]}`;
}
