import { eventually, testMember } from '@constancia/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readers, textOf } from '../../../../libs/pdf-sealing/src/poppler.fixture.ts';
import type { CaseExportView } from '../case-exports/list-exports.ts';
import { TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import { knownVersion, storedScreening } from './period-facts.fixture.ts';
import type { PeriodReportView } from './period-report-view.ts';
import { slicesOf } from './slices.sql.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
  // 30 days are allowed: imported on 1 January, and the same file again on 20 January.
  await knownVersion(bench.store, 'PEP', 'old', ['2026-01-01T05:00:00Z', '2026-01-20T05:00:00Z']);
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

const QUARTER = 'from=2026-01-01&to=2026-03-31';
const report = async (query = QUARTER) => (await cases.get<PeriodReportView>(`/v1/reports/compliance?${query}`)).body;
const records = (text: string) => parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];

/** A case that was opened at noon of a day in January, and resolved so many hours later, as the store says. */
async function opened(
  day: number,
  facts: object = {},
  resolved?: { decision: string; hours: number },
): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, day, 17));
  const id = await cases.open({ at, listVersions: { PEP: 'old' }, ...facts });
  if (!resolved) return id;
  await cases.act(id, 'resolve', { decision: resolved.decision, reason: 'Se comparó.' });
  await bench.store.query(
    `update compliance.review_case set resolved_at = opened_at + make_interval(hours => $3)
      where tenant_id = $1 and compliance.type_id('cas', id) = $2`,
    [cases.tenant.id, id, resolved.hours],
  );
  return id;
}

/** Four cases of January, of which three are resolved, and three screenings. */
async function january(): Promise<string[]> {
  const ids = [
    await opened(1, {}, { decision: 'approve', hours: 2 }),
    await opened(2, { listHits: ['PEP', 'OFAC'], rulesFired: ['-R-2', 'R-1'] }, { decision: 'reject', hours: 10 }),
    // Decided on 28 February: 39 days after the last import of the list.
    await opened(3, { subjectRef: '=1+1' }, { decision: 'true_match', hours: 56 * 24 }),
    await opened(4, { listVersions: { PEP: 'gone' } }),
  ];
  const of = (at: string, facts: object) => storedScreening(bench.store, cases.tenant.id, { at, ...facts });
  const versions = { PEP: 'old' };
  await of('2026-01-01T17:00:00.123456Z', {
    versions,
    decision: 'review',
    rules: ['-R-2', 'R-1', 'R-1'],
    lists: ['PEP'],
  });
  await of('2026-01-19T17:00:00Z', { versions, subjectType: 'legal', subjectRef: '+57' });
  await of('2026-03-31T23:00:00Z', { versions });
  await of('2026-04-01T05:00:00Z', { versions }); // in April
  return ids;
}

describe('the report of a period', () => {
  it('is made one at a time for a tenant', async () => {
    const other = bench.store.query('select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_sleep(2)', [
      `period-report:${cases.tenant.id}`,
    ]);
    await eventually(async () => {
      const { status, body } = await cases.get<{ detail: string }>(`/v1/reports/compliance?${QUARTER}`);
      expect([status, body.detail]).toEqual([409, 'A report of yours is under way: try again when it has ended.']);
    });
    await other;
    expect((await report()).cases.opened).toBe(0);
  });

  it('counts cases and screenings, and how old the lists were that they were decided with', async () => {
    await january();
    const { cases: counted, screenings, ...period } = await report();
    expect(period).toMatchObject({ from: '2026-01-01T05:00:00.000Z', to: '2026-04-01T05:00:00.000Z' });
    expect(counted).toMatchObject({
      ...{ opened: 4, overdue: 1, ros_drafts: 1 },
      by_status: { open: 1, in_review: 0, escalated: 0, pending_approval: 0, resolved: 3 },
      by_decision: { approve: 1, reject: 1, false_positive: 0, true_match: 1 },
      by_list: { PEP: 4, OFAC: 1, ONU: 0 },
      by_rule: { 'SARLAFT-PEP-001': 3, 'R-1': 1, '-R-2': 1 },
      time_to_resolve: { median_hours: 10, p90_hours: 56 * 24, longest_hours: 56 * 24 },
    });
    expect(counted.lists_when_decided).toEqual({
      ...{ decisions: 3, with_stale_list: 1, with_unknown_version: 0 },
      by_list: [{ code: 'PEP', version: 'old', age_seconds: 39.5 * 86_400, max_age_days: 30, stale_decisions: 1 }],
    });
    expect(screenings).toMatchObject({
      made: 3,
      by_outcome: { approve: 2, review: 1, reject: 0 },
      by_subject_type: { natural: { approve: 1, review: 1 }, legal: { approve: 1, review: 0 } },
      by_trigger: { api: 3, list_update: 0 },
      by_list: { PEP: 1, OFAC: 0 },
      // On 19 January the import of 1 January counts, on 31 March that of 20 January.
      lists_when_screened: { decisions: 3, with_stale_list: 1, by_list: [{ version: 'old', stale_decisions: 1 }] },
    });
  });

  it('counts nothing of another tenant, and nothing that an erasure blocked', async () => {
    await january();
    const strangers = await TenantCases.of(bench);
    const { body } = await strangers.get<PeriodReportView>(`/v1/reports/compliance?${QUARTER}`);
    expect([body.cases.opened, body.screenings.made, body.cases.time_to_resolve]).toEqual([0, 0, null]);
    await bench.compliance.call('/v1/erasures', { key: cases.tenant.apiKey, body: { subject_ref: '=1+1' } });
    const { cases: counted } = await report();
    expect([counted.opened, counted.by_decision.true_match, counted.ros_drafts]).toEqual([3, 0, 0]);
    expect((await cases.get(`/v1/reports/compliance/cases?${QUARTER}`)).text).not.toContain('=1+1');
  });

  it('takes a year at most, to those who may read cases', async () => {
    const status = async (query: string) => (await cases.get(`/v1/reports/compliance?${query}`)).status;
    expect(await status('from=2024-01-01&to=2024-12-31')).toBe(200);
    expect(await status('from=2024-01-01&to=2025-01-01')).toBe(400);
    expect(await status('from=2024-02-01&to=2024-01-01')).toBe(400);
    expect(await status('from=2024-02-01')).toBe(400);
    const future = await cases.get('/v1/reports/compliance?from=2199-01-01&to=2199-01-31');
    expect([future.status, future.body]).toMatchObject([400, { errors: [{ pointer: '/query/from' }] }]);
    const { token } = await testMember(bench.store, cases.tenant.id, 'sender');
    for (const path of ['', '/pdf', '/cases', '/screenings']) {
      const url = `${bench.compliance.url}/v1/reports/compliance${path}?${QUARTER}`;
      expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
    }
  });

  it('reads a period in slices that hold each row once', async () => {
    for (const second of [1, 1, 1, 2, 3, 4, 5]) {
      await storedScreening(bench.store, cases.tenant.id, { at: `2026-02-01T00:00:0${second}.0005Z` });
    }
    const [from, to] = [new Date('2026-01-01'), new Date('2026-03-01')];
    const rows = { tenantId: cases.tenant.id, table: 'screening', column: 'created_at', size: 2 } as const;
    const counts = await bench.database.snapshot(cases.tenant.id, async (tx) => {
      const found: number[] = [];
      let end = from;
      for await (const slice of slicesOf(tx, rows, { from, to })) {
        expect(slice.from).toEqual(end);
        end = slice.to;
        const [row] = await tx.query<{ count: number }>(
          'select count(*)::int as count from compliance.screening where created_at >= $1 and created_at < $2',
          [slice.from, slice.to],
        );
        found.push(row?.count as number);
      }
      expect(end).toEqual(to);
      return found;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(7);
    expect(counts.length).toBeGreaterThan(2);
  });

  it.skipIf(!readers.poppler)(
    'is a PDF in Spanish and in English',
    async () => {
      await january();
      const text = async (language: string) => {
        const url = `${bench.compliance.url}/v1/reports/compliance/pdf?${QUARTER}`;
        const headers = { 'x-api-key': cases.tenant.apiKey, 'accept-language': language, 'x-actor': 'ana.oficial' };
        const answer = await fetch(url, { headers });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
        return textOf(Buffer.from(await answer.arrayBuffer())).replaceAll(/\s+/g, ' ');
      };
      const spanish = await text('es-CO');
      for (const said of [
        'Informe de cumplimiento',
        'por ana.oficial',
        'Abiertos 4',
        'Es la persona listada 1',
        'Mediana 10 horas',
        '-R-2 1',
        'PEP: antigüedad máxima 39,5 de 30 días (versión old)',
        'Personas jurídicas, por resultado',
      ])
        // prettier-ignore
        expect(spanish).toContain(said);
      const english = await text('en');
      for (const said of [
        'Compliance report',
        'Opened 4',
        'Is the listed person 1',
        'Nine of ten, at most 1,344 hours',
        'PEP: greatest age 39.5 of 30 days',
      ])
        // prettier-ignore
        expect(english).toContain(said);
    },
    60_000,
  );

  it('gives its rows as CSV that no spreadsheet runs, and notes who took them', async () => {
    const [first, , third, fourth] = await january();
    const answer = await cases.get(`/v1/reports/compliance/cases?${QUARTER}`);
    expect([answer.headers.get('content-type'), answer.headers.get('x-row-count')]).toEqual(['text/csv; charset=utf-8', '4']); // prettier-ignore
    const rows = records(answer.text);
    expect(rows.map(({ decision }) => decision)).toEqual(['approve', 'reject', 'true_match', '']);
    const byId = (id: string | undefined) => rows.find(({ case_id }) => case_id === id);
    expect(byId(first)).toMatchObject({ hours_to_resolve: '2.00', rules_fired: 'SARLAFT-PEP-001', oldest_list: 'PEP', oldest_list_days: '0.6', stale_lists: '' }); // prettier-ignore
    expect(byId(third)).toMatchObject({ subject_ref: `'=1+1`, oldest_list_days: '39.5', stale_lists: 'PEP', list_versions: 'PEP=old' }); // prettier-ignore
    expect(byId(fourth)).toMatchObject({ overdue: 'true', resolved_at: '', hours_to_resolve: '', oldest_list: '' });
    await eventually(async () => {
      const { data } = (await cases.get<{ data: CaseExportView[] }>('/v1/cases/exports')).body;
      expect(data).toMatchObject([{ content: 'case_report', rows: 4, ros_drafts: 1, complete: true }]);
    });

    const screened = records((await cases.get(`/v1/reports/compliance/screenings?${QUARTER}`)).text);
    expect(
      screened.map(({ outcome, subject_ref, rules_fired, list_hits, oldest_list_days }) => [
        outcome,
        subject_ref,
        rules_fired,
        list_hits,
        oldest_list_days,
      ]),
    ).toEqual([
      // prettier-ignore
      ['review', 'customer-1', `'-R-2|R-1`, 'PEP', '0.5'],
      ['approve', `'+57`, '', '', '18.5'],
      ['approve', 'customer-1', '', '', '70.8'],
    ]);
    const excel = (await cases.get(`/v1/reports/compliance/screenings?${QUARTER}&excel=true`)).text;
    expect(excel.split('\r\n')[0]).toContain('screening_id;screened_at (UTC);subject_ref');
  });
});
