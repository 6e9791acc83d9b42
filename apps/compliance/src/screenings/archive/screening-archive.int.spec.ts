import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { checkedFetch, type TestTenant } from '@constancia/testing';
import { opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileView } from '../../../../../libs/archives/src/archive-faults.fixture.ts';
import { readArchive } from '../../../../../libs/tenant-export/src/read-archive.fixture.ts';
import { runningCompliance } from '../../running-compliance.fixture.ts';
import { CaseExports } from '../../case-exports/case-export.ts';
import { ArchiveBench, LISTED } from './archived-screenings.fixture.ts';

let bench: ArchiveBench;
let tenant: TestTenant;

beforeAll(async () => {
  bench = await ArchiveBench.start();
}, 120_000);
afterAll(async () => bench?.close());
beforeEach(async () => {
  tenant = await bench.tenant();
});

const shown = async (id: string) => (await bench.get(tenant, `/v1/screenings/${id}`)).body;

describe('closed screenings', () => {
  it('go into a signed file, out of the database and the list, and are shown and replayed as before', async () => {
    const ids = await bench.screenings(tenant, 5);
    await bench.age(tenant);
    const before = await Promise.all(ids.map(shown));
    const replayed = (await bench.get(tenant, `/v1/screenings/${ids[0]}/replay`)).body;
    const file = await bench.archived(tenant);
    expect(file).toMatchObject({ history: 'screenings', from: 1, through: 4, slug: tenant.slug, archived_by: 'noche' });
    expect(await bench.run(tenant)).toBeNull();

    expect(await bench.stored(tenant)).toEqual([ids[4]]);
    expect(await Promise.all(ids.map(shown))).toEqual(before);
    const { object_key, sha256, key_fingerprint } = file;
    expect((await bench.get(tenant, `/v1/screenings/${ids[0]}/replay`)).body).toEqual({
      ...replayed,
      identical: true,
      archive: { object_key, sha256, key_fingerprint, archived_at: expect.any(String) },
    });
    expect((await bench.get(tenant, '/v1/screenings')).body).toMatchObject({
      data: [{ id: ids[4] }],
      archived_until: file.last_at,
    });
    expect(await bench.verdict(file)).toMatchObject({ valid: true, fault: null });
    const stranger = await bench.tenant();
    expect((await bench.get(stranger, `/v1/screenings/${ids[0]}`)).status).toBe(404);
    expect((await bench.get(stranger, '/v1/screenings')).body).toMatchObject({ archived_until: null });
    const story = await bench.ops.get(`/story/${ids[0]}`);
    expect(story.body).toMatchObject({
      id: ids[0],
      decision: 'approve',
      timeline: [{ what: 'screened' }, { what: 'archived', detail: object_key }],
    });
    const acts = await bench.store.query(
      `select data from platform.operator_act where tenant_id = $1 and type = 'screening.archived'`,
      [tenant.id],
    );
    expect(JSON.stringify(acts)).toContain('older than ten years');
  });

  it('are distinguished from what is live, which stays: the last of a subject, those of cases, new ones', async () => {
    const [open, resolved] = [
      await bench.screen(tenant, 'open', LISTED),
      await bench.screen(tenant, 'resolved', LISTED),
    ];
    const middle = await bench.screen(tenant, 'resolved', LISTED);
    const last = await bench.screen(tenant, 'resolved', LISTED);
    const later = await bench.screen(tenant, 'open', LISTED);
    await bench.compliance.call(`/v1/cases/${resolved.case_id}/resolve`, {
      key: tenant.apiKey,
      body: { decision: 'false_positive', reason: 'Otra fecha de nacimiento.' },
    });
    const clean = await bench.screenings(tenant, 2, 'clean');
    await bench.age(tenant);
    const fresh = await bench.screenings(tenant, 2, 'clean');
    await bench.archived(tenant);
    const stored = await bench.stored(tenant);
    expect(stored).toEqual([open.id, resolved.id, last.id, later.id, ...fresh].sort());
    expect(stored).not.toContain(middle.id);
    expect(stored).not.toContain(clean[0]);
    const { body } = await bench.get<{ screening: { id: string } }>(tenant, `/v1/cases/${resolved.case_id}`);
    expect(JSON.stringify(body)).toContain(last.id);
  });

  it('of the last five years stay whatever is asked', async () => {
    await bench.screenings(tenant, 3);
    await bench.age(tenant, 4);
    const sql = 'select seq from compliance.next_screening_archive($1, now(), 100)';
    expect(await bench.store.query(sql, [tenant.id])).toEqual([]);
    await bench.age(tenant, 2);
    expect(await bench.store.query(sql, [tenant.id])).toHaveLength(2);
    expect(await bench.run(tenant)).toBeNull(); // SCREENING_ARCHIVE_AFTER_DAYS: ten years
  });

  it('that had to stay are found once nothing refers to them, when their tenant is named', async () => {
    const [first, second] = await bench.screenings(tenant, 2, 'watched');
    await bench.screenings(tenant, 3, 'other');
    await bench.age(tenant);
    await bench.archived(tenant);
    expect(await bench.stored(tenant)).toHaveLength(2);
    const again = await bench.screen(tenant, 'watched');
    await bench.age(tenant, 0);
    expect(await bench.archived(tenant)).toMatchObject({ from: 4, through: 4 });
    expect(await bench.stored(tenant)).not.toContain(second);
    for (const id of [first, second, again.id]) expect((await shown(id as string)).id).toBe(id);
  });

  it('are in files that follow each other, which openssl alone can check, and which verify without the key', async () => {
    await bench.screenings(tenant, 3);
    await bench.age(tenant);
    const first = await bench.archived(tenant);
    await bench.screenings(tenant, 2);
    await bench.age(tenant);
    const second = await bench.archived(tenant);
    const [header] = fs.readFileSync(bench.pathOf(second), 'utf8').split('\n');
    expect(JSON.parse(header as string)).toMatchObject({
      head_before: first.head_after,
      previous_sha256: first.sha256,
    });
    const without = await runningCompliance(bench.store, { STORAGE_DIR: bench.folder });
    try {
      const tenants = await exported(without.url);
      const files = tenants.lines<{ object_key: string; key_fingerprint: string }>('screening-archives');
      expect(files.map(({ object_key }) => object_key)).toEqual([second.object_key, first.object_key]);
      const keys = tenants.lines<{ fingerprint: string; public_key_pem: string }>('archive-keys');
      const key = keys.find(({ fingerprint }) => fingerprint === first.key_fingerprint);
      const pem = path.join(bench.folder, 'key.pem');
      fs.writeFileSync(pem, key?.public_key_pem ?? '');
      const file = bench.pathOf(first);
      const check = ['dgst', '-sha256', '-verify', pem, '-signature', `${file}.sig`, file];
      expect(execFileSync('openssl', check, { encoding: 'utf8' })).toContain('Verified OK');
      const [line] = fs.readFileSync(file, 'utf8').split('\n').slice(1);
      const { id } = JSON.parse(line as string) as { id: string };
      const [row] = await bench.store.query<{ id: string }>(`select compliance.type_id('scr', $1) as id`, [id]);
      expect((await without.call(`/v1/screenings/${row?.id}`, { key: tenant.apiKey })).status).toBe(200);
    } finally {
      await without.close();
    }
  });

  it('are archived by nobody without a key, and the answer names the setting that is missing', async () => {
    await bench.screenings(tenant, 2);
    await bench.age(tenant);
    const without = await runningCompliance(bench.store, { STORAGE_DIR: bench.folder });
    const ops = await opsPortOf(without.app);
    try {
      const answer = await ops.post<{ error: string }>('/archives/screenings/run', {
        tenant: tenant.slug,
        reason: 'test',
      });
      expect([answer.status, answer.body.error]).toEqual([503, expect.stringContaining('set ARCHIVE_KEY_ID')]);
    } finally {
      await ops.close();
      await without.close();
    }
    expect(await bench.stored(tenant)).toHaveLength(2);
  });

  const exported = async (url: string) => {
    const response = await checkedFetch({ compliance: url })(`${url}/v1/export`, {
      headers: { 'x-api-key': tenant.apiKey },
    });
    return readArchive(Buffer.from(await response.arrayBuffer()));
  };
});

describe('what looks back over archived screenings', () => {
  it('sees them: rules, the first day of a monitored subject, the result of a batch', async () => {
    const csv =
      'subject_ref,subject_type,full_name,birth_date\ncustomer-1,natural,Rosalba Quintero Arbeláez,1987-04-12\n';
    const batch = await bench.compliance.call<{ id: string }>('/v1/screening-batches', {
      key: tenant.apiKey,
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    const results = () => bench.get(tenant, `/v1/screening-batches/${batch.body.id}/results?format=ndjson`);
    await expect.poll(async () => (await results()).text, { timeout: 30_000 }).toContain('customer-1');
    await bench.screenings(tenant, 2);
    await bench.age(tenant);
    const monitored = async () => (await bench.get(tenant, '/v1/monitored-subjects')).body;
    const context = async () =>
      (
        await bench.store.query(
          `select compliance.screening_context($1, 'default', 'natural', 'customer-1', '00000000-0000-7000-8000-000000000000') as c`,
          [tenant.id],
        )
      )[0];
    const before = [(await results()).text, await monitored(), await context()];
    await bench.archived(tenant);
    expect(await bench.stored(tenant)).toHaveLength(1);
    expect([(await results()).text, await monitored(), await context()]).toEqual(before);
  });

  it('and begins while a file is recorded says so as well', async () => {
    await bench.screenings(tenant, 3);
    await bench.age(tenant);
    const exports = bench.compliance.app.get(CaseExports, { strict: false });
    const start = exports.start.bind(exports) as CaseExports['start'];
    let file: FileView | undefined;
    const starting = vi.spyOn(exports, 'start').mockImplementationOnce(async (...args) => {
      file = await bench.archived(tenant);
      return start(...args);
    });
    const year = new Date().getUTCFullYear() - 12;
    const rows = await bench.get(tenant, `/v1/reports/compliance/screenings?from=${year}-01-01&to=${year}-12-31`);
    starting.mockRestore();
    expect(rows.headers.get('x-row-count')).toBe('1');
    expect(rows.headers.get('x-archived-until')).toBe(file?.last_at);
  });

  it('and does not count them says so: reports, their rows, backtests', async () => {
    await bench.screenings(tenant, 3);
    await bench.age(tenant);
    const file = await bench.archived(tenant);
    const year = new Date().getUTCFullYear() - 12;
    const period = `from=${year}-01-01&to=${year}-12-31`;
    const report = await bench.get(tenant, `/v1/reports/compliance?${period}`);
    expect(report.body).toMatchObject({ screenings: { made: 1, archived_until: file.last_at } });
    const rows = await bench.get(tenant, `/v1/reports/compliance/screenings?${period}`);
    expect(rows.headers.get('x-archived-until')).toBe(file.last_at);
    const recent = await bench.get(tenant, `/v1/reports/compliance?from=${year + 2}-01-01&to=${year + 2}-02-01`);
    expect(recent.body).toMatchObject({ screenings: { archived_until: null } });
    const pdf = await bench.get(tenant, `/v1/reports/compliance/pdf?${period}`);
    expect(pdf.status).toBe(200);
    const { body: validations } = await bench.get<{ data: { id: string }[] }>(tenant, '/v1/validations');
    const tried = await bench.compliance.call(`/v1/validations/${validations.data[0]?.id}/backtest`, {
      key: tenant.apiKey,
      body: {},
    });
    expect(tried.body).toMatchObject({ screenings: 1, archived_until: file.last_at });
  });
});
