import fs from 'node:fs';
import { uuidOf } from '@constancia/kernel';
import { Database, verifyChain } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import type { TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  archiveFaults,
  type FileView,
  forged,
  OperatorsView,
} from '../../../../../libs/archives/src/archive-faults.fixture.ts';
import { hashedData } from '../../case-records/event-texts.ts';
import { DutySweep } from '../../erasures/duty-sweep.ts';
import { ComplianceExport } from '../../export/compliance-export.ts';
import { ArchiveBench, LISTED } from '../../screenings/archive/archived-screenings.fixture.ts';
import type { CaseDetailView } from '../case-detail-view.ts';
import { OldCases, WRITTEN } from './old-cases.fixture.ts';
import { TimelineArchives } from './timeline-archives.ts';

let bench: ArchiveBench;
let archives: TimelineArchives;
let tenant: TestTenant;
let old: OldCases;

beforeAll(async () => {
  bench = await ArchiveBench.start();
  archives = bench.compliance.app.get(TimelineArchives, { strict: false });
}, 120_000);
afterAll(async () => bench?.close());
beforeEach(async () => {
  tenant = await bench.tenant();
  old = new OldCases(bench, tenant);
});

const uuid = (caseId: string) => uuidOf('cas', caseId) as string;

const show = (caseId: string, of = tenant) => bench.get<CaseDetailView>(of, `/v1/cases/${caseId}`);
const timeline = async (caseId: string) => {
  const { status, body } = await show(caseId);
  expect(status).toBe(200);
  return body.timeline;
};
const story = async (caseId: string) => (await bench.ops.get(`/story/${caseId}`)).body;
const report = (caseId: string) => bench.compliance.call(`/v1/cases/${caseId}/report`, { key: tenant.apiKey });
const stored = (caseId: string) =>
  bench.store.query('select seq from compliance.case_event where case_id = $1 order by seq', [uuid(caseId)]);

async function run(of = tenant): Promise<FileView | null> {
  const body = { tenant: of.slug, reason: 'ten years' };
  const answer = await bench.ops.post<{ archived: FileView | null }>('/archives/timelines/run', body);
  expect(answer.status).toBe(200);
  return answer.body.archived;
}

const running = () => ({
  store: bench.store,
  ops: bench.ops,
  archives,
  objects: bench.compliance.app.get(ObjectStore),
  folder: bench.folder,
});
const view = () => new OperatorsView(running());

describe('timelines of cases that were resolved long ago', () => {
  it('go into a signed file and out of the database, and are read as before', async () => {
    const cases = [await old.resolved(), await old.resolved({ subject: 'customer-2' })];
    const before = await Promise.all(cases.map(async (each) => [(await show(each)).body, await story(each)] as const));
    const events = before.flatMap(([body]) => body.timeline);
    const file = (await run()) as FileView;
    expect(file).toMatchObject({ history: 'timelines', from: 1, through: events.length, archived_by: 'noche' });
    expect(await run()).toBeNull();
    for (const [nth, caseId] of cases.entries()) {
      expect(await stored(caseId)).toEqual([]);
      expect([(await show(caseId)).body, await story(caseId)]).toEqual(before[nth]);
      expect((await show(caseId)).body.chain_valid).toBe(true);
      expect((await report(caseId)).status).toBe(200);
    }
    expect(await view().verdict(file)).toMatchObject({ valid: true, fault: null });
    expect((await view().rows(file)).body.data.map(({ hash }) => hash)).toEqual(events.map(({ hash }) => hash));
    const sql = 'select type from platform.operator_act order by seq desc limit 1';
    expect(await bench.store.query(sql)).toEqual([{ type: 'case.archived' }]);
  });

  it('go on from their head when the case is reopened', async () => {
    const caseId = await old.resolved();
    const before = await timeline(caseId);
    const file = (await run()) as FileView;
    const reopened = await old.reopen(caseId);
    expect(reopened).toMatchObject({ status: 200, body: { status: 'open', chain_valid: true } });
    expect(reopened.body.timeline.slice(0, before.length)).toEqual(before);
    expect(reopened.body.timeline.at(-1)).toMatchObject({ seq: before.length + 1, type: 'reopened' });
    await old.act(caseId, 'comment', { body: 'Más' });
    await old.anchored();
    const { body } = await show(caseId);
    expect(body).toMatchObject({ chain_valid: true, timeline: { length: before.length + 2 } });
    const hashed = body.timeline.map((event) => ({ ...event, data: hashedData(event.data) }));
    expect(verifyChain(hashed)).toMatchObject({ valid: true });
    expect(await view().verdict(file)).toMatchObject({ valid: true });
    await old.age(caseId, '12 years').catch(() => undefined);
    expect(await run()).toBeNull();
    await forged(bench.store, 'compliance.case_event', `prev_hash = repeat('1', 64) where case_id = '${uuid(caseId)}'`);
    expect(await view().verdict(file)).toMatchObject({ valid: false, fault: 'chain' });
  });

  it('stay while the case was not resolved 400 days ago, whatever is asked, and later ones wait for them', async () => {
    const young = await old.resolved({ interval: '399 days' });
    await old.resolved({ subject: 'customer-2' });
    const next = () =>
      bench.store.query('select seq from compliance.next_timeline_archive($1, now(), 1000)', [tenant.id]);
    expect(await next()).toEqual([]);
    await old.age(young, '401 days');
    expect((await next()).length).toBeGreaterThan(0);
    expect(await run()).toBeNull(); // TIMELINE_ARCHIVE_AFTER_DAYS
    await old.age(young, '11 years');
    expect(await run()).not.toBeNull();
  });

  it('stay where the case is open, blocked by an erasure, not anchored, or has texts in the clear', async () => {
    const open = (await bench.screen(tenant, 'open', LISTED)).case_id as string;
    const blocked = await old.resolved({ subject: 'blocked' });
    const erasure = await bench.compliance.call('/v1/erasures', {
      key: tenant.apiKey,
      body: { subject_ref: 'blocked' },
    });
    expect(erasure.status).toBe(200);
    const unanchored = await old.resolved({ subject: 'unanchored' });
    const clear = await old.resolved({ subject: 'clear' });
    const last = await old.resolved({ interval: '399 days' });
    const texts = `sealed = null, data = '{"body":"x"}' where case_id = '${uuid(clear)}' and seq = 3`;
    await forged(bench.store, 'compliance.case_event', texts);
    const set = (columns: string, caseId: string) =>
      bench.store.query(`update compliance.review_case set ${columns} where id = $1`, [uuid(caseId)]);
    await set(`opened_at = now() - interval '12 years'`, open);
    await set('anchored_seq = anchored_seq - 1', unanchored);
    expect(await run()).toBeNull();
    await old.age(last, '12 years');
    expect(await run()).not.toBeNull();
    expect(await stored(last)).toEqual([]);
    for (const kept of [open, blocked, unanchored, clear]) expect((await stored(kept)).length).toBeGreaterThan(0);
    await set('anchored_seq = head_seq', unanchored); // the sweep anchors those of every tenant
  });

  it('are in files of one tenant each, which no other tenant and no other history reaches', async () => {
    const caseId = await old.resolved();
    const other = await bench.tenant();
    await new OldCases(bench, other).resolved();
    const file = (await run()) as FileView;
    expect(await run(other)).toMatchObject({ from: 1 });
    expect((await show(caseId, other)).status).toBe(404);
    expect((await bench.ops.get(`/archives/screenings/${file.id}/verify`)).status).toBe(404);
  });

  it('are deleted in no other way, and the records of files are never changed', async () => {
    const caseId = await old.resolved();
    await run();
    await old.reopen(caseId);
    for (const sql of [
      `delete from compliance.case_event where case_id = '${uuid(caseId)}'`,
      'update compliance.case_event set sealed = null',
      'truncate compliance.case_event',
      'update compliance.archived_timeline set events = 1000',
      'delete from compliance.archived_timeline',
      'update compliance.timeline_archive set bytes = 1',
    ])
      await expect(bench.store.query(sql), sql).rejects.toThrow(/never changed|cannot truncate/);
  });

  it('leave exports that say where they are, and whose chain is still valid', async () => {
    const caseId = await old.resolved();
    const head = (await timeline(caseId)).at(-1);
    const file = (await run()) as FileView;
    await old.reopen(caseId);
    const { files } = await bench.compliance.app.get(ComplianceExport, { strict: false }).source(tenant.id);
    const lines = (name: string) =>
      bench.compliance.app.get(Database).tenant(tenant.id, async (tx) => {
        const found = [];
        for await (const rows of files.find((one) => one.name === name)?.pages(tx) ?? []) found.push(...rows);
        return found.map(({ line }) => line);
      });
    const { id, object_key, sha256 } = file;
    expect(await lines('timeline-archives')).toMatchObject([{ id, object_key, sha256, from_seq: 1 }]);
    expect(await lines('archived-timelines')).toEqual([
      { case_id: caseId, archive_id: id, first_row: 1, seq: head?.seq, hash: head?.hash },
    ]);
    const after = (head?.seq ?? 0) + 1;
    expect(await lines('cases')).toMatchObject([
      { id: caseId, chain_valid: true, timeline: [{ seq: after, type: 'reopened', prev_hash: head?.hash }] },
    ]);
  });
});

describe('what is personal in an archived timeline', () => {
  it('is readable in no file, is blocked by an erasure, and ends with the key of its subject', async () => {
    const caseId = await old.resolved();
    const before = await timeline(caseId);
    for (const part of WRITTEN) expect(JSON.stringify(before)).toContain(part);
    const file = (await run()) as FileView;
    const bytes = fs.readFileSync(view().pathOf(file), 'utf8');
    for (const part of [...WRITTEN, LISTED.full_name]) expect(bytes).not.toContain(part);

    const erasure = await bench.compliance.call<{ receipt_id: string }>('/v1/erasures', {
      key: tenant.apiKey,
      body: { subject_ref: 'customer-1' },
    });
    expect((await show(caseId)).status).toBe(404);
    expect(new Set((await view().rows(file)).body.data.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ case_id: uuid(caseId), blocked: true })]),
    );
    expect(await view().verdict(file)).toMatchObject({ valid: true });
    const { receipt_id } = erasure.body;
    const blockedPath = `/v1/erasures/${receipt_id}/data?reason=Requerimiento`;
    const blocked = await bench.get<{ cases: CaseDetailView[] }>(tenant, blockedPath);
    expect(blocked.body.cases).toMatchObject([{ id: caseId, chain_valid: true }]);
    expect(blocked.body.cases[0]?.timeline).toEqual(before);

    await bench.store.query(`update compliance.erasure_receipt set kept_until = now() - interval '1 s' where id = $1`, [
      uuidOf('rcp', receipt_id),
    ]);
    await bench.compliance.app.get(DutySweep, { strict: false }).run();
    const keys = await bench.store.query('select wrapped_key from compliance.subject_key where tenant_id = $1', [
      tenant.id,
    ]);
    expect(keys).toEqual([{ wrapped_key: null }]);
    expect((await bench.get(tenant, blockedPath)).status).toBe(404);
    expect(await view().verdict(file)).toMatchObject({ valid: true });
  });
});

describe('the archive of timelines', () => {
  let caseId: string;
  let others = 0;
  beforeEach(async () => {
    caseId = await old.resolved();
  });

  archiveFaults(
    () => ({
      ...running(),
      tenant,
      state: () => stored(caseId),
      answers: async () => [await show(caseId), await report(caseId)],
      moreRows: async () => void (await old.resolved({ subject: `other-${(others += 1)}` })),
    }),
    {
      table: 'compliance.timeline_archive',
      steps: [
        ['compliance.timeline_archive', 'after insert'],
        ['compliance.archived_timeline', 'after insert'],
        ['compliance.case_event', 'after delete'],
      ],
      changed: ['"seq": 2', '"seq": 9'],
      removed: /\n.*"seq": 2,.*\n/,
      isSame: true,
    },
  );

  it('a reopening while the file cannot be read is refused whole, and done when it can', async () => {
    const file = (await run()) as FileView;
    const name = view().pathOf(file);
    fs.renameSync(name, `${name}.away`);
    expect((await old.reopen(caseId)).status).toBe(503);
    expect(await stored(caseId)).toEqual([]);
    fs.renameSync(`${name}.away`, name);
    expect((await show(caseId)).body.status).toBe('resolved');
    expect((await old.reopen(caseId)).status).toBe(200);
  });

  it('is found when the records were changed to match, by the heads that were anchored', async () => {
    const file = (await run()) as FileView;
    await forged(bench.store, 'compliance.case_anchor', `hash = repeat('1', 64) where case_id = '${uuid(caseId)}'`);
    expect(await view().verdict(file)).toMatchObject({ valid: false, fault: 'chain' });
  });
});
