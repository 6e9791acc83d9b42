import { createHash } from 'node:crypto';
import { eventually } from '@constancia/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CSV_COLUMNS } from './export-csv.ts';
import type { CaseExportView } from './list-exports.ts';
import { manyCases } from '../cases/many-cases.fixture.ts';
import { TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

const exported = (query = '', headers: Record<string, string> = {}) =>
  bench.compliance.call(`/v1/cases/export?${query}`, { key: cases.tenant.apiKey, headers });
const exports = async () => (await cases.get<{ data: CaseExportView[] }>('/v1/cases/exports')).body.data;
const records = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: '\r\n', relax_quotes: false }) as Record<string, string>[];

/** A request whose body is read as the test likes. */
const streamed = (signal?: AbortSignal) =>
  fetch(`${bench.compliance.url}/v1/cases/export`, {
    headers: { 'x-api-key': cases.tenant.apiKey },
    ...(signal && { signal }),
  });

describe('the export', () => {
  it('has for each case what the contract says, and what became of it', async () => {
    await cases.fourEyes('all');
    const id = await cases.open({
      decision: 'reject',
      listHits: ['OFAC', 'ONU'],
      subject: { full_name: '=cmd|"/c calc"!A1', document_type: 'CC', document_number: '-1', country_code: 'CO' },
    });
    await cases.act(id, 'escalate', { reason: '@boss, look' });
    await cases.act(id, 'resolve', { decision: 'true_match', reason: 'Línea uno\r\n"dos", tres' });
    const { body: done } = await cases.act(id, 'confirm', undefined, { actor: 'bea' });
    const { status, headers, text } = await exported();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="cases-\d{4}-\d{2}-\d{2}\.csv"$/);
    expect([headers.get('x-row-count'), headers.get('x-ros-drafts')]).toEqual(['1', '1']);
    const [row] = records(text);
    expect(Object.keys(row as object)).toEqual(CSV_COLUMNS);
    expect(row).toMatchObject({
      case_id: id,
      opened_at: done.opened_at,
      status: 'resolved',
      full_name: `'=cmd|"/c calc"!A1`,
      document_number: `'-1`,
      screening_id: done.screening_id,
      rules_fired: 'SARLAFT-PEP-001',
      list_hits: 'OFAC|ONU',
      list_versions: 'PEP=2026-11-01',
      final_decision: 'true_match',
      decision_reason: 'Línea uno\r\n"dos", tres',
      escalation_reason: "'@boss, look",
      four_eyes_approver: 'bea',
      reopened_count: '0',
      ros_reference: done.ros_reference,
      timeline_head_hash: done.timeline.at(-1)?.hash,
    });
  });

  it('has its header when there is no case', async () => {
    const { text, headers } = await exported();
    expect([text, headers.get('x-row-count')]).toEqual([`${CSV_COLUMNS.join(',')}\r\n`, '0']);
  });

  it('takes days as they are in Bogotá, and half-open instants', async () => {
    const opened = [
      '2026-03-01T04:59:59.999Z',
      '2026-03-01T05:00:00.000Z',
      '2026-03-02T04:59:59.999Z',
      '2026-03-02T05:00:00.000Z',
    ];
    for (const at of opened) await cases.open({ at: new Date(at) });
    const of = async (query: string) => records((await exported(query)).text).map((row) => row['opened_at']);
    expect(await of('from=2026-03-01&to=2026-03-01')).toEqual(opened.slice(1, 3));
    expect(await of('from=2026-03-01T05:00:00Z&to=2026-03-02T05:00:00Z')).toEqual(opened.slice(1, 3));
    expect(await of('from=2026-03-02')).toEqual(opened.slice(3));
    expect(await of('to=2026-02-28')).toEqual(opened.slice(0, 1));
    expect(await of('from=2026-03-01T00:00:00-05:00&to=2026-03-01T00:00:00-05:00')).toEqual([]);
    expect((await exported('from=2026-03-02&to=2026-03-01')).status).toBe(400);
    expect((await exported('from=2026-02-30&to=soon')).status).toBe(400);
  });

  it('opens in Excel in Spanish when asked for', async () => {
    await cases.open();
    const { text } = await exported('excel=true');
    const bytes = Buffer.from(text);
    const read = parse(bytes, { columns: true, delimiter: ';', bom: true }) as Record<string, string>[];
    expect(read[0]?.['full_name']).toBe('Rosa Ejemplo Prueba');
  });

  it('is noted with its rows and the hash of its bytes', async () => {
    await manyCases(bench.store, cases.tenant.id, { count: 2_500 });
    const response = await streamed();
    const bytes = Buffer.from(await response.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await eventually(async () =>
      expect(await exports()).toMatchObject([
        { rows: 2_500, ros_drafts: 2, complete: true, sha256, from: null, excel: false },
      ]),
    );
    const rows = records(bytes.toString());
    expect(new Set(rows.map((row) => row['case_id'])).size).toBe(2_500);
    expect(rows.map((row) => row['opened_at'])).toEqual(rows.map((row) => row['opened_at']).sort());
    await exported('', { 'x-actor': 'ana' });
    const by = { kind: 'key', on_behalf_of: 'ana' };
    await eventually(async () => expect((await exports())[0]).toMatchObject({ actor: 'ana', by }));
    expect((await cases.get('/v1/cases/exports?limit=1&cursor=WyJ4Il0')).status).toBe(400);
  });

  it('is one at a time for a tenant: another one meanwhile is 409; when the client goes it ends, noted as cut', async () => {
    await manyCases(bench.store, cases.tenant.id, { count: 30_000 });
    const client = new AbortController();
    const response = await streamed(client.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const second = await exported();
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '5']);
    const other = await TenantCases.of(bench);
    expect((await other.get('/v1/cases/export')).status).toBe(200);
    client.abort();
    await reader.closed.catch(() => undefined);
    await eventually(async () => expect(await exports()).toMatchObject([{ complete: false }]));
    expect((await exports())[0]?.rows).toBeLessThan(30_000);
    expect((await exported('to=2020-01-01')).status).toBe(200);
  });
});
