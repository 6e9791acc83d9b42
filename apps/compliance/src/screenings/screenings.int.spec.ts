import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Problem } from '@constancia/testing/calls';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { MonitoredSubjectPage } from '../monitoring/monitored-subject-view.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import type { ListView } from '../lists/list-view.ts';
import type { DatedScreeningView } from './dated-screening-view.ts';
import type { ScreeningPage, ScreeningView } from './screening-view.ts';

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

/** Nobody on any list. */
const PERSON = {
  full_name: 'Rosalba Quintero Arbeláez',
  birth_date: '1987-04-12',
  document_type: 'CC',
  document_number: '1098765432',
  country_code: 'CO',
  kyc_status: 'approved',
  amount: 1_250_000,
  currency: 'COP',
};
/** On the sandbox's OFAC and PEP lists. */
const LISTED = { full_name: 'Ernesto Ficticio Ejemplo', birth_date: '1962-04-17', document_number: '1000000001' };
const EXPOSED = { full_name: 'Aurelio Ficticio Ejemplar', birth_date: '1955-09-30', document_number: '1000000011' };

const subject = (payload: object = {}, facts: object = {}) => ({
  subject_ref: 'customer-1',
  subject_type: 'natural',
  payload: { ...PERSON, ...payload },
  ...facts,
});
const screen = (body: object, headers: Record<string, string> = {}) =>
  compliance.call<ScreeningView>('/v1/screenings', { key: tenant.apiKey, body, headers });
const get = <Body>(path: string, key = tenant.apiKey) => compliance.call<Body>(path, { key });
const slug = (body: unknown) => (body as Problem).type.split('/').at(-1);

async function ledger(): Promise<{ balance: number; debits: { ref_id: string; amount: number }[] }> {
  const [account] = await database.query<{ available: number }>(
    `select available::int as available from platform.credit_account where tenant_id = $1`,
    [tenant.id],
  );
  const debits = await database.query<{ ref_id: string; amount: number }>(
    `select ref_id, amount::int as amount from platform.credit_entry where tenant_id = $1 and kind = 'debit' order by seq`,
    [tenant.id],
  );
  return { balance: account?.available as number, debits };
}

async function events(): Promise<{ event_type: string; payload: Record<string, unknown> }[]> {
  const rows = await database.query<{ body: string }>(
    `select body from platform.event where tenant_id = $1 order by event_id`,
    [tenant.id],
  );
  return rows.map(({ body }) => JSON.parse(body) as { event_type: string; payload: Record<string, unknown> });
}

describe('a screening', () => {
  beforeEach(() => seededValidation(compliance, tenant.apiKey));

  it('of nobody in particular is approved, kept, charged and announced', async () => {
    const { status, body } = await screen(subject());
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        validation_code: 'default',
        validation_version: 1,
        subject_ref: 'customer-1',
        subject_type: 'natural',
        trigger: 'api',
        decision: 'approve',
        score: 0,
        findings: [],
        list_hits: [],
        hits: [],
        data_gaps: [],
        case_id: null,
        credits_debited: 8,
      }),
    ]);
    expect(Object.keys(body.list_versions)).toEqual(['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'FATF']);
    const { balance, debits } = await ledger();
    expect([balance, debits.map(({ amount }) => amount)]).toEqual([992, [-8]]);
    const payload = { screening_id: body.id, subject_ref: 'customer-1', decision: 'approve', trigger: 'api' };
    expect((await events()).map((event) => [event.event_type, event.payload])).toEqual([
      ['screening.completed', payload],
    ]);
    const { lists_when_screened: lists, ...shown } = (await get<DatedScreeningView>(`/v1/screenings/${body.id}`)).body;
    expect(shown).toEqual({ ...body, payload: PERSON });
    const active = (await get<{ data: ListView[] }>('/v1/lists')).body.data;
    expect(lists).toMatchObject(
      active.map(({ code, version, imported_at }) => ({
        code,
        version,
        imported_at,
        checked_at: imported_at,
        stale: false,
      })),
    );
  });

  it('of somebody on a list is rejected, explained, and opens a case', async () => {
    const { status, body } = await screen(subject(LISTED));
    expect([status, body.decision, body.list_hits]).toEqual([201, 'reject', ['OFAC']]);
    expect(body.findings[0]).toMatchObject({ rule_code: 'SARLAFT-OFAC-001', decision: 'reject', score: 100 });
    expect(body.hits[0]).toMatchObject({
      list: 'OFAC',
      entry_id: 'SBX-OFAC-1',
      score: 1,
      identifier_matched: true,
      party: null,
    });
    expect(body.hits[0]?.evidence).toMatchObject({
      birth_date: { verdict: 'same_day' },
      identifier: { verdict: 'same' },
    });
    expect(body.case_id).toMatch(/^cas_/);
    const { body: opened } = await get<CaseDossierView>(`/v1/cases/${body.case_id}`);
    expect(opened.subject).toMatchObject({ full_name: LISTED.full_name, document_number: LISTED.document_number });
    const { lists_when_screened, ...shown } = (await get<DatedScreeningView>(`/v1/screenings/${body.id}`)).body;
    expect(opened).toMatchObject({ screening: shown, lists_when_screened, lists_when_decided: null });
    expect(opened.screening?.hits[0]?.evidence).toHaveProperty('name');
    expect(opened.rules.map(({ code }) => code).sort()).toEqual(opened.rules_fired.toSorted());
    const onList = opened.rules.find(({ code }) => code === 'SARLAFT-OFAC-001');
    expect(onList).toMatchObject({ severity: 'reject', legal_basis: { es: expect.stringMatching(/\w/) } });
    expect(opened).toMatchObject({ status: 'open', screening_id: body.id, subject_ref: 'customer-1' });
    expect((await events()).map(({ event_type }) => event_type).sort()).toEqual(['case.opened', 'screening.completed']);
  });

  it('that needs a person is attached to the open case of its subject, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => screen(subject(EXPOSED))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.case_id)).size).toBe(1);
    const { body } = await get<{ timeline: { type: string }[]; chain_valid: boolean }>(
      `/v1/cases/${answers[0]?.body.case_id}`,
    );
    expect(body.timeline.map(({ type }) => type)).toEqual(['opened', ...Array<string>(39).fill('screening_attached')]);
    expect(body.chain_valid).toBe(true);
    expect((await ledger()).balance).toBe(1000 - 40 * 8);
    expect((await events()).filter(({ event_type }) => event_type === 'case.opened')).toHaveLength(1);
  });

  it('looks at related parties as well, and says whose hit it is', async () => {
    const { body } = await screen({
      subject_ref: 'company-1',
      subject_type: 'legal',
      payload: {
        full_name: 'Panadería La Espiga Dorada S.A.S.',
        document_type: 'NIT',
        document_number: '900123456',
        country_code: 'CO',
        legal_representative: { full_name: 'Rosalba Quintero Arbeláez', country_code: 'CO' },
        beneficial_owners: [
          { full_name: 'Hernán Restrepo Uribe', ownership_percent: 60 },
          { ...LISTED, document_type: 'CC', country_code: 'CO', ownership_percent: 40 },
        ],
      },
    });
    expect([body.decision, body.list_hits]).toEqual(['reject', []]);
    expect(body.findings.map(({ rule_code }) => rule_code)).toContain('SARLAFT-LEG-002');
    expect(body.hits).toMatchObject([{ list: 'OFAC', entry_id: 'SBX-OFAC-1', party: '/beneficial_owners/1' }]);
  });

  it('by a code without a published validation is not found, and not charged', async () => {
    const missing = await screen(subject({}, { validation_code: 'nobody' }));
    expect([missing.status, slug(missing.body)]).toEqual([404, 'not-found']);
    await compliance.call('/v1/validations', { key: tenant.apiKey, body: { code: 'draft-only' } });
    expect((await screen(subject({}, { validation_code: 'draft-only' }))).status).toBe(404);
    expect((await ledger()).debits).toEqual([]);
  });

  it('without the credits leaves nothing behind: no screening, no case, no event', async () => {
    tenant = await testTenant(database, { credits: 7 });
    await seededValidation(compliance, tenant.apiKey);
    const refused = await screen(subject(LISTED), { 'idempotency-key': crypto.randomUUID() });
    expect([refused.status, slug(refused.body)]).toEqual([402, 'insufficient-acai']);
    expect((await get<ScreeningPage>('/v1/screenings')).body.data).toEqual([]);
    expect((await get<{ data: object[] }>('/v1/cases')).body.data).toEqual([]);
    expect([(await ledger()).balance, await events()]).toEqual([7, []]);
  });

  it('uses the balance to the last whole price, however many requests there are', async () => {
    tenant = await testTenant(database, { credits: 20 });
    await seededValidation(compliance, tenant.apiKey);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => screen(subject({}, { subject_ref: `s-${nth}` }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402, 402, 402]);
    expect((await ledger()).balance).toBe(4);
    expect((await get<ScreeningPage>('/v1/screenings')).body.data).toHaveLength(2);
  });

  it('repeated with its Idempotency-Key gets the first answer and costs nothing more', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await screen(subject(EXPOSED), headers);
    const [second, third] = await Promise.all([screen(subject(EXPOSED), headers), screen(subject(EXPOSED), headers)]);
    expect([second.status, third.text]).toEqual([201, first.text]);
    expect(second.text).toBe(first.text);
    expect([first, second].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect((await ledger()).balance).toBe(992);
    const other = await screen(subject(LISTED), headers);
    expect([other.status, slug(other.body)]).toEqual([422, 'unprocessable-entity']);
  });

  it('sent many times at once with one key is made once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => screen(subject(EXPOSED), headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await ledger()).balance).toBe(992);
    expect((await get<ScreeningPage>('/v1/screenings')).body.data).toHaveLength(1);
  });

  it('names the analyst who asked in the timeline of its case', async () => {
    const { body } = await screen(subject(EXPOSED), { 'x-actor': 'Ana Gómez' });
    const { body: opened } = await get<{ timeline: { actor: string }[] }>(`/v1/cases/${body.case_id}`);
    expect(opened.timeline[0]?.actor).toBe('Ana Gómez');
  });

  it('does not bring back a hit that was found to be someone else, until either side changes', async () => {
    const similar = { full_name: EXPOSED.full_name, birth_date: '1955-09-30', document_number: '1098765432' };
    const first = await screen(subject(similar));
    expect(first.body.list_hits).toEqual(['PEP']);
    const resolved = await compliance.call(`/v1/cases/${first.body.case_id}/resolve`, {
      key: tenant.apiKey,
      body: { decision: 'false_positive', reason: 'Otro número de cédula: homónimo.' },
    });
    expect(resolved.status, resolved.text).toBe(200);
    const second = await screen(subject(similar));
    expect([second.body.decision, second.body.hits, second.body.case_id]).toEqual(['approve', [], null]);
    const replayed = await get<{ identical: boolean }>(`/v1/screenings/${second.body.id}/replay`);
    expect(replayed.body.identical).toBe(true);
    const changed = await screen(subject({ ...similar, country_code: 'VE' }));
    expect(changed.body.list_hits).toContain('PEP');
  });

  it('is listed newest first, by what it was, page by page', async () => {
    const ids: string[] = [];
    for (const [payload, facts] of [
      [{}, {}],
      [EXPOSED, { subject_ref: 'customer-2' }],
      [LISTED, { subject_ref: 'customer-3' }],
    ] as const) {
      ids.unshift((await screen(subject(payload, facts))).body.id);
    }
    const list = async (query: string) => (await get<ScreeningPage>(`/v1/screenings${query}`)).body;
    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf('?decision=review')).toEqual([ids[1]]);
    expect(await idsOf('?subject_ref=customer-3')).toEqual([ids[0]]);
    expect(await idsOf('?trigger=list_update')).toEqual([]);
    expect(await idsOf('?validation_code=default&subject_type=natural')).toEqual(ids);
    const page = await list('?limit=2');
    expect(await idsOf(`?limit=2&cursor=${page.next_cursor}`)).toEqual([ids[2]]);
    expect((await get('/v1/screenings?decision=maybe')).status).toBe(400);
  });

  it('makes its subject one that is monitored, once for each code, by the last screening', async () => {
    const list = async (query = '') => (await get<MonitoredSubjectPage>(`/v1/monitored-subjects?${query}`)).body;
    const first = (await screen(subject())).body;
    const other = (await screen(subject(LISTED, { subject_ref: 'customer-2' }))).body;
    const last = (await screen(subject({ full_name: 'Rosalba Quintero' }))).body;
    const { data } = await list();
    expect(data).toEqual([
      {
        subject_ref: 'customer-1',
        subject_type: 'natural',
        subject_name: 'Rosalba Quintero',
        validation_code: 'default',
        monitored_since: first.created_at,
        screening_id: last.id,
        screened_at: last.created_at,
        rescreened_at: null,
        decision: 'approve',
        list_hits: [],
        list_versions: last.list_versions,
        open_case_id: null,
      },
      expect.objectContaining({ screening_id: other.id, decision: 'reject', open_case_id: other.case_id }),
    ]);
    expect((await list('subject_ref=customer-2')).data).toEqual([data[1]]);
    expect((await list('subject_type=legal')).data).toEqual([]);
    const page = await list('limit=1&order=asc');
    expect([page.data, (await list(`limit=1&order=asc&cursor=${page.next_cursor}`)).data]).toEqual([[data[1]], [data[0]]]); // prettier-ignore
    const stranger = (await testTenant(database)).apiKey;
    expect((await get<MonitoredSubjectPage>('/v1/monitored-subjects', stranger)).body.data).toEqual([]);
    await compliance.call('/v1/erasures', { key: tenant.apiKey, body: { subject_ref: 'customer-1' } });
    expect((await list()).data).toEqual([data[1]]);
  });

  it('is found by its own tenant alone', async () => {
    const { body } = await screen(subject());
    const stranger = await testTenant(database);
    for (const path of [`/v1/screenings/${body.id}`, `/v1/screenings/${body.id}/replay`]) {
      expect((await get(path, stranger.apiKey)).status).toBe(404);
    }
    expect((await get<ScreeningPage>('/v1/screenings', stranger.apiKey)).body.data).toEqual([]);
    expect((await get('/v1/screenings/scr_unknown')).status).toBe(404);
  });
});

describe('earlier screenings of a subject', () => {
  it('count for rules that ask for them, from the first screening after publication on', async () => {
    const { body: draft } = await compliance.call<{ id: string }>('/v1/validations', { key: tenant.apiKey, body: {} });
    const rule = {
      code: 'VELOCITY',
      severity: 'review',
      score: 5,
      subject_type: 'both',
      definition: {
        nodes: [
          { id: 'often', type: 'condition', predicate: 'prior_screenings_gte', value: { count: 2, days: 30 } },
          { id: 'refer', type: 'action' },
        ],
        edges: [{ from: 'often', to: 'refer' }],
      },
    };
    const added = await compliance.call(`/v1/validations/${draft.id}/rules`, { key: tenant.apiKey, body: rule });
    expect(added.status, added.text).toBe(201);
    await compliance.call(`/v1/validations/${draft.id}/publish`, { method: 'POST', key: tenant.apiKey });
    const decisions: string[] = [];
    for (let nth = 0; nth < 3; nth++) decisions.push((await screen(subject())).body.decision);
    const other = await screen(subject({}, { subject_ref: 'customer-2' }));
    expect([...decisions, other.body.decision]).toEqual(['approve', 'approve', 'review', 'approve']);
  });
});
