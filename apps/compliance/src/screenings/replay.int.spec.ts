import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Problem } from '@constancia/testing/calls';
import { listsLoaded, seededDraft, seededValidation } from '../compliance-setups.fixture.ts';
import { importEntries } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import { personalData } from '../cases/cases.fixture.ts';
import { Lists } from '../lists/lists.ts';
import type { BacktestView } from '../backtests/backtest-view.ts';
import type { DryRunView } from './dry-run.ts';
import type { ReplayView } from './replay-screening.ts';
import { type MaybeSealed, openScreening, sealScreening, SUBJECT_KEY } from './sealed-screening.ts';
import type { ScreeningPage, ScreeningView } from './screening-view.ts';
import type { ScreeningRow } from './sealed-screening.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';

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

const post = <Body>(path: string, body: unknown) =>
  compliance.call<Body>(path, { key: tenant.apiKey, method: 'POST', body });
const get = <Body>(path: string) => compliance.call<Body>(path, { key: tenant.apiKey });
const screen = async (payload: object, facts: object = {}) =>
  (
    await post<ScreeningView>('/v1/screenings', {
      subject_ref: 'customer-1',
      subject_type: 'natural',
      payload,
      ...facts,
    })
  ).body;
const replay = async ({ id }: ScreeningView) => (await get<ReplayView>(`/v1/screenings/${id}/replay`)).body;
const slug = (body: unknown) => (body as Problem).type.split('/').at(-1);

const SOMEBODY = { full_name: 'Benigno Novedoso Listado', birth_date: '1980-01-02', country_code: 'CO' };
const RULE = {
  code: 'MINE',
  severity: 'review',
  score: 3,
  subject_type: 'both',
  definition: { nodes: [{ id: 'always', type: 'action' }], edges: [] },
};

describe('a stored screening', () => {
  it('replays to the byte, also after its lists and its rules were replaced', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const entries = [{ id: 'I-1', name: 'Benigno Novedoso Listado', birthDate: '1980-01-02', countries: 'CO' }];
    await importEntries(compliance, 'INTERNAL', entries, { tenantId: tenant.id, force: true });
    const made = [
      await screen(SOMEBODY),
      await screen({ full_name: 'Ernesto Ficticio Ejemplo', document_type: 'CC', document_number: '1000000001' }),
      await screen({ full_name: 'S.A.S.' }),
      await screen({ full_name: 'Rosalba Quintero', birth_date: '2015-01-01', subject_age: 40 }),
    ];
    expect(made[0]?.list_hits).toEqual(['INTERNAL']);

    const others = [{ id: 'I-2', name: 'Otra Persona Distinta' }];
    await importEntries(compliance, 'INTERNAL', others, { tenantId: tenant.id, force: true });
    const { body: clone } = await post<{ id: string }>(`/v1/validations/${first}/clone`, undefined);
    await post(`/v1/validations/${clone.id}/rules`, RULE);
    expect((await post(`/v1/validations/${clone.id}/publish`, undefined)).status).toBe(200);
    expect((await screen(SOMEBODY)).list_hits).toEqual([]);

    for (const screening of made) {
      const answer = await replay(screening);
      expect(answer).toEqual({ identical: true, screening, recomputed: screening, unavailable: null, archive: null });
    }
  });

  it('says so when a version of its lists is gone', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const screening = await screen(SOMEBODY);
    await database.query(
      `update compliance.screening set list_versions = list_versions || '{"PEP": "99-00000000"}' where tenant_id = $1`,
      [tenant.id],
    );
    const answer = await replay(screening);
    expect([answer.identical, answer.recomputed, answer.unavailable?.code]).toEqual([null, null, 'list_version_gone']);
  });

  /** Writes another result, as only somebody with the tenant's keys can. */
  async function reseal(id: string, change: (result: string) => string): Promise<void> {
    const app = await Database.connect({
      url: database.app('compliance'),
      applicationName: 'test',
      entities: COMPLIANCE_TABLES,
    });
    const keyring = await (await personalData(app)).tenant(tenant.id);
    await app.close();
    const [row] = await database.query<ScreeningRow & MaybeSealed>(
      `select c.*, ${SUBJECT_KEY} from compliance.screening c where id = $1`,
      [id],
    );
    const { facts, dismissed, result, subject_key_id, wrapped_key } = openScreening(
      keyring,
      row as never,
    ) as never as ScreeningRow & { subject_key_id: string; wrapped_key: Buffer };
    const changed = { facts, dismissed, result: change(result) };
    const { sealed_result } = sealScreening(
      { keyring, key: keyring.subject(subject_key_id, wrapped_key) },
      id,
      changed,
    );
    await database.query('update compliance.screening set sealed_result = $2 where id = $1', [id, sealed_result]);
  }

  it('says so when something was changed behind its back', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const [altered, other] = [await screen(SOMEBODY), await screen(SOMEBODY)];
    const change = (id: string, sql: string) =>
      database.query(`update compliance.screening set ${sql} where tenant_id = $1 and id = $2`, [tenant.id, id]);
    const [first, second] = await database.query<{ id: string }>(
      `select id from compliance.screening where tenant_id = $1 order by id`,
      [tenant.id],
    );
    await reseal(first?.id as string, (result) => result.replace('"score":0', '"score":1'));
    await change(second?.id as string, `rules_hash = '\\x00'`);
    expect((await replay(altered)).identical).toBe(false);
    expect((await replay(other)).unavailable?.code).toBe('other_rules');
  });
});

describe('a dry run', () => {
  it('finds what a screening finds, and leaves no trace', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const names = fc.constantFrom(
      'Ernesto Ficticio Ejemplo',
      'Aurelio Ficticio Ejemplar',
      'Hernando Ficticio Inventado',
      'Kim Fictisong',
      'Rosalba Quintero Arbeláez',
      'Jean Fictif',
      'Ltda',
      'Виктор Фиктивный Примеров',
    );
    const payloads = fc.record(
      {
        full_name: names,
        birth_date: fc.constantFrom('1962-04-17', '1955-09-30', '2012-05-05', '1930-01-01'),
        document_type: fc.constantFrom('CC', 'ce', 'PA'),
        document_number: fc.constantFrom('1000000001', '12', 'X0000001'),
        country_code: fc.constantFrom('CO', 'kp', 'MM', 'VE', 'RU'),
        subject_age: fc.integer({ min: 0, max: 150 }),
        kyc_status: fc.constantFrom('approved', 'pending', 'rejected'),
        amount: fc.integer({ min: 0, max: 80_000_000 }),
        currency: fc.constantFrom('COP', 'USD', 'eur'),
        beneficial_owners: fc.array(fc.record({ full_name: names }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.record({ payload: payloads, subject_type: fc.constantFrom('natural', 'legal') });
    const count = async () => (await get<ScreeningPage>('/v1/screenings?limit=100')).body.data.length;
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const request = { ...body, subject_ref: `customer-${nth++}` };
        const before = await count();
        const { status, body: trial } = await post<DryRunView>('/v1/screenings/dry-run', request);
        expect([status, await count()]).toEqual([200, before]);
        const { body: made } = await post<ScreeningView>('/v1/screenings', request);
        const { validation_status, warnings: _, ...found } = trial; // what a screening does not say
        expect(made).toMatchObject(found);
        expect(validation_status).toBe('published');
        expect((await replay(made)).identical).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('takes a validation of any status, and costs nothing', async () => {
    tenant = await testTenant(database, { credits: 0 });
    const first = await seededValidation(compliance, tenant.apiKey);
    const { body: clone } = await post<{ id: string }>(`/v1/validations/${first}/clone`, undefined);
    await post(`/v1/validations/${clone.id}/rules`, RULE);
    const body = { subject_ref: 'c', subject_type: 'natural', payload: SOMEBODY };
    const dryRun = async (facts: object) =>
      (await post<DryRunView>('/v1/screenings/dry-run', { ...body, ...facts })).body;
    expect(await dryRun({})).toMatchObject({
      validation_id: first,
      validation_status: 'published',
      decision: 'approve',
    });
    expect(await dryRun({ validation_id: clone.id })).toMatchObject({ validation_status: 'draft', decision: 'review' });
    await post(`/v1/validations/${clone.id}/publish`, undefined);
    expect(await dryRun({})).toMatchObject({ validation_id: clone.id, validation_version: 2, decision: 'review' });
    expect(await dryRun({ validation_id: first })).toMatchObject({
      validation_status: 'deprecated',
      decision: 'approve',
    });
    expect(await get('/v1/cases')).toMatchObject({ body: { data: [] } });
  });

  it('takes the newest draft of a code that has nothing published, and is not found without one', async () => {
    await seededDraft(compliance, tenant.apiKey);
    const newest = await seededDraft(compliance, tenant.apiKey);
    const body = { subject_ref: 'c', subject_type: 'natural', payload: SOMEBODY };
    const { body: trial } = await post<DryRunView>('/v1/screenings/dry-run', body);
    expect(trial).toMatchObject({ validation_id: newest, validation_status: 'draft', validation_version: 2 });
    expect((await post('/v1/screenings/dry-run', { ...body, validation_code: 'none' })).status).toBe(404);
    expect((await post('/v1/screenings/dry-run', { ...body, validation_id: 'val_none' })).status).toBe(404);
    const foreign = await testTenant(database);
    const answer = await compliance.call('/v1/screenings/dry-run', {
      key: foreign.apiKey,
      body: { ...body, validation_id: newest },
    });
    expect(answer.status).toBe(404);
  });
});

describe('a backtest', () => {
  it('shows what a draft would have decided, by the facts of the time', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const people = [
      { ...SOMEBODY, country_code: 'CO' },
      { ...SOMEBODY, country_code: 'VE' },
      { full_name: 'Aurelio Ficticio Ejemplar', birth_date: '1955-09-30', country_code: 'CO' },
      { full_name: 'S.A.S.', country_code: 'CO' },
    ];
    for (const [nth, payload] of people.entries()) await screen(payload, { subject_ref: `customer-${nth}` });
    const same = await post<BacktestView>(`/v1/validations/${first}/backtest`, {});
    expect(same.status).toBe(200);
    expect(same.body).toMatchObject({
      screenings: 4,
      complete: true,
      changed_count: 0,
      changed: [],
      expected_cases: 3,
    });
    expect(same.body.before).toEqual(same.body.after);
    expect(same.body.rule_hits).toMatchObject({ 'SARLAFT-PEP-001': 1, 'SARLAFT-FATF-003': 1, 'SARLAFT-ONU-001': 0 });

    const { body: draft } = await post<{ id: string }>('/v1/validations', {});
    await post(`/v1/validations/${draft.id}/rules`, { ...RULE, subject_type: 'natural', severity: 'reject' });
    const { body: tried } = await post<BacktestView>(`/v1/validations/${draft.id}/backtest`, {});
    expect(tried).toMatchObject({
      screenings: 4,
      after: { approve: 0, review: 0, reject: 4 },
      changed_count: 4,
      rule_hits: { MINE: 4 },
    });
    expect(tried.changed.map(({ subject_ref }) => subject_ref)).toEqual([
      'customer-3',
      'customer-2',
      'customer-1',
      'customer-0',
    ]);
    expect((await post<BacktestView>(`/v1/validations/${draft.id}/backtest`, { max: 2 })).body.screenings).toBe(2);
    const none = { from: '2020-01-01', to: '2020-12-31' };
    expect((await post<BacktestView>(`/v1/validations/${draft.id}/backtest`, none)).body.screenings).toBe(0);
    const bad = await post<Problem>(`/v1/validations/${draft.id}/backtest`, {
      from: '2021-01-01',
      to: '2020-01-01',
      max: 0,
    });
    expect(bad.status).toBe(400);
    const backwards = { from: '2021-01-02', to: '2021-01-01' };
    expect((await post<Problem>(`/v1/validations/${draft.id}/backtest`, backwards)).status).toBe(400);
  });

  it('counts what came before each screening, even where the rules of the time did not ask', async () => {
    await seededValidation(compliance, tenant.apiKey);
    for (let nth = 0; nth < 3; nth++) await screen(SOMEBODY);
    const { body: draft } = await post<{ id: string }>('/v1/validations', {});
    const definition = {
      nodes: [
        { id: 'often', type: 'condition', predicate: 'prior_screenings_gte', value: { count: 2, days: 30 } },
        { id: 'refer', type: 'action' },
      ],
      edges: [{ from: 'often', to: 'refer' }],
    };
    await post(`/v1/validations/${draft.id}/rules`, { ...RULE, definition });
    const { body } = await post<BacktestView>(`/v1/validations/${draft.id}/backtest`, {});
    expect([body.after, body.expected_cases]).toEqual([{ approve: 2, review: 1, reject: 0 }, 1]);
  });
});

/** Takes a mandatory list away, as it is before an operator's first import. */
async function withoutMandatoryList(): Promise<void> {
  await database.query(
    `update compliance.list_version set status = 'superseded' where list = 'ONU' and status = 'active'`,
  );
  await database.query(`update compliance.list_clock set ticks = ticks + 1`);
  await compliance.app.get(Lists).refresh();
}

describe('without a mandatory list', () => {
  it('a repeated request still gets its stored answer, and another one with its key is refused', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const body = { subject_ref: 'c', subject_type: 'natural', payload: SOMEBODY };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = (sent: object) =>
      compliance.call<Problem>('/v1/screenings', { key: tenant.apiKey, body: sent, headers });
    const first = await send(body);
    await withoutMandatoryList();
    const again = await send(body);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await send({ ...body, subject_ref: 'd' });
    expect([other.status, slug(other.body)]).toEqual([422, 'unprocessable-entity']);
  });

  it('nobody is screened: 503 with Retry-After, and nothing charged', async () => {
    await seededValidation(compliance, tenant.apiKey);
    await withoutMandatoryList();
    const body = { subject_ref: 'c', subject_type: 'natural', payload: SOMEBODY };
    for (const path of ['/v1/screenings', '/v1/screenings/dry-run']) {
      const answer = await post(path, body);
      expect([answer.status, slug(answer.body)]).toEqual([503, 'dependency-unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await get<ScreeningPage>('/v1/screenings')).body.data).toEqual([]);
    const debits = await database.query(`select 1 from platform.credit_entry where tenant_id = $1 and kind = 'debit'`, [
      tenant.id,
    ]);
    expect(debits).toEqual([]);
  });
});
