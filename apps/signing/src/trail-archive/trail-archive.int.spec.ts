import fs from 'node:fs';
import path from 'node:path';
import { uuidOf } from '@constancia/kernel';
import { type ChainedEvent, Database, verifyChain } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { ObjectStore } from '@constancia/storage';
import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SigningExport } from '../export/signing-export.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { SentEnvelope } from '../sign/sign.fixture.ts';
import type { PublicEnvelopeView } from '../verify/public-envelope-view.ts';
import {
  archiveFaults,
  type FileView,
  forged,
  OperatorsView,
} from '../../../../libs/archives/src/archive-faults.fixture.ts';
import { OldTrails, PERSONAL } from './old-trails.fixture.ts';
import { TrailArchives } from './trail-archives.ts';

let store: TestDatabase;
let signing: RunningSigning;
let ops: OpsPort;
let archives: TrailArchives;
let old: OldTrails;

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, {
    env: { ARCHIVE_KEY_ID: (await testKms()).keyId },
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
  ops = await opsPortOf(signing.app);
  archives = signing.app.get(TrailArchives, { strict: false });
}, 120_000);
afterAll(async () => {
  await ops?.close();
  await signing?.close();
  await store?.drop();
});
beforeEach(async () => {
  old = await OldTrails.of(store, signing);
});

type Page = { data: (ChainedEvent & Record<string, unknown>)[]; next_cursor: string | null };

const run = async (of: OldTrails = old) => {
  const answer = await ops.post<{ archived: FileView | null }>('/archives/envelope-trails/run', {
    tenant: of.tenant.slug,
    reason: 'ten years',
  });
  expect(answer.status).toBe(200);
  return answer.body.archived;
};
const running = () => ({
  store,
  ops,
  archives,
  objects: signing.app.get(ObjectStore),
  folder: signing.folder,
});
const filesOf = (of: OldTrails = old) => new OperatorsView(running()).files(of.tenant);
const verdictOf = (file: { id: string }) => new OperatorsView(running()).verdict(file);
const rowsOf = async (file: { id: string }) => (await new OperatorsView(running()).rows(file)).body.data;
const objectPath = (key: string) => path.join(signing.folder, key);
const uuid = ({ id }: SentEnvelope) => uuidOf('env', id) as string;

/** The whole trail, two events at a time. */
async function audit({ id }: SentEnvelope): Promise<Page['data']> {
  const events: Page['data'] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await signing.call<Page>(`/v1/envelopes/${id}/audit?limit=2${cursor}`, {
      key: old.tenant.apiKey,
    });
    expect(status).toBe(200);
    events.push(...body.data);
    if (body.next_cursor === null) return events;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

async function publicPath(sent: SentEnvelope): Promise<string> {
  const [row] = await store.query<{ public_id: string }>('select public_id from signing.envelope where id = $1', [
    uuid(sent),
  ]);
  return `/v1/verify/${row?.public_id}`;
}
const verified = async (sent: SentEnvelope) => (await signing.call<PublicEnvelopeView>(await publicPath(sent))).body;
const story = async ({ id }: SentEnvelope) => (await ops.get(`/story/${id}`)).body;
const allOf = async (sent: SentEnvelope) => ({
  audit: await audit(sent),
  public: await verified(sent),
  story: await story(sent),
});

describe('trails of envelopes that ended long ago', () => {
  it('go into a signed file and out of the database, and are read as before', async () => {
    const sents = [await old.declined(), await old.sealed()];
    const before = await Promise.all(sents.map(allOf));
    const archived = (await run()) as FileView;
    const events = before.flatMap((each) => each.audit).length;
    expect(archived).toMatchObject({ history: 'envelope-trails', from: 1, through: events, archived_by: 'noche' });
    expect(archived.object_key).toMatch(
      new RegExp(`^archives/envelope-trails/${old.tenant.id}/1-${events}-[0-9a-f]{32}`),
    );
    expect(await run()).toBeNull();

    for (const [nth, sent] of sents.entries()) {
      expect(await old.stored(sent)).toEqual([]);
      expect(await allOf(sent)).toEqual(before[nth]);
      expect(verifyChain(await audit(sent))).toMatchObject({ valid: true });
    }
    expect(await verdictOf(archived)).toEqual(expect.objectContaining({ valid: true, fault: null }));
    expect((await rowsOf(archived)).map(({ seq, hash }) => [seq, hash])).toEqual(
      before.flatMap((each) => each.audit.map(({ seq, hash }) => [seq, hash])),
    );
    const [act] = await store.query<{ type: string; data: string }>(
      'select type, data from platform.operator_act order by seq desc limit 1',
    );
    expect([act?.type, JSON.parse(act?.data ?? '{}')]).toMatchObject([
      'envelope.archived',
      { archive_id: archived.id, reason: 'ten years' },
    ]);
  });

  it('go on from their head when something happens to them later', async () => {
    const sent = await old.sealed();
    const before = await audit(sent);
    const archived = (await run()) as FileView;
    await old.record(sent, 'signer.link_renewed');
    await old.record(sent, 'signer.link_opened');
    const after = await audit(sent);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ seq, type }) => [seq, type])).toEqual([
      [before.length + 1, 'signer.link_renewed'],
      [before.length + 2, 'signer.link_opened'],
    ]);
    expect(verifyChain(after)).toMatchObject({ valid: true, head: { seq: before.length + 2 } });
    const shown = await verified(sent);
    expect(shown.trail.map(({ hash }) => hash)).toEqual(after.map(({ hash }) => hash));
    expect(shown.trail_head).toBe(after.at(-1)?.hash);
    expect(await verdictOf(archived)).toMatchObject({ valid: true });
    expect(await run()).toBeNull();
  });

  it('stay while their envelope has not ended 400 days ago, whatever is asked, and later ones wait for them', async () => {
    const [young, aged] = [await old.declined(), await old.declined()];
    await old.age(young, '399 days');
    const next = () => store.query('select seq from signing.next_trail_archive($1, now(), 1000)', [old.tenant.id]);
    expect(await next()).toEqual([]);
    await old.age(young, '401 days');
    expect(await next()).toHaveLength((await audit(young)).length + (await audit(aged)).length);
    expect(await run()).toBeNull(); // TRAIL_ARCHIVE_AFTER_DAYS
    await old.age(young);
    expect(await run()).not.toBeNull();
  });

  it('of one that never ended are skipped, once it is as old', async () => {
    const [stuck, aged] = [await old.sent(), await old.declined()];
    expect(await run()).toBeNull();
    await store.query(`update signing.envelope set created_at = now() - interval '12 years' where id = $1`, [
      uuid(stuck),
    ]);
    expect(await run()).not.toBeNull();
    expect(await old.stored(aged)).toEqual([]);
    expect(await old.stored(stuck)).toEqual([1]);
  });

  it('are in files that follow each other, of one tenant each', async () => {
    const other = await OldTrails.of(store, signing);
    await old.declined();
    const first = (await run()) as FileView;
    await other.declined();
    expect(await filesOf(other)).toEqual([]);
    await old.declined();
    const second = (await run()) as FileView;
    expect(second.from).toBe(first.through + 1);
    const [header] = fs.readFileSync(objectPath(second.object_key), 'utf8').split('\n');
    expect(JSON.parse(header as string)).toMatchObject({
      history: 'envelope-trails',
      table: 'signing.envelope_event',
      head_before: first.head_after,
      previous_sha256: first.sha256,
    });
    expect(await verdictOf(second)).toMatchObject({ valid: true });
    expect(await run(other)).toMatchObject({ from: 1 });
    expect(await filesOf()).toMatchObject([{ id: first.id }, { id: second.id }]);
  });

  it('are deleted in no other way, and the records of files are never changed', async () => {
    const sent = await old.declined();
    const young = await old.sent();
    await run();
    await old.record(sent, 'signer.link_opened');
    for (const sql of [
      `delete from signing.envelope_event where envelope_id = '${uuid(sent)}'`,
      `delete from signing.envelope_event where envelope_id = '${uuid(young)}'`,
      'update signing.envelope_event set ip = null',
      'truncate signing.envelope_event',
      'update signing.archived_trail set events = 1000',
      'delete from signing.archived_trail',
      'update signing.trail_archive set bytes = 1',
      'delete from signing.trail_archive',
    ])
      await expect(store.query(sql), sql).rejects.toThrow(/never changed|cannot truncate/);
  });

  it('are refused by the store when they are not what the file has, or the caller is another tenant', async () => {
    const sent = await old.declined();
    const stranger = await testTenant(store);
    const [row] = await store.query<{ head: string; rows: number }>(
      'select min(head_before) as head, count(*)::int as rows from signing.next_trail_archive($1, now(), 100)',
      [old.tenant.id],
    );
    const trails = [{ envelope_id: uuid(sent), key_id: uuid(sent), wrapped_key: '00' }];
    const record = { id: old.tenant.id, tenant_id: old.tenant.id, from_seq: 1, through_seq: row?.rows, trails };
    const recorded = (tenant: string, changes: object = {}) =>
      signing.app
        .get(Database)
        .tenant(tenant, (tx) =>
          tx.query('select signing.record_trail_archive($1, $2)', [
            JSON.stringify({ ...record, head_before: row?.head, ...changes }),
            'of other rows',
          ]),
        );
    await expect(recorded(old.tenant.id)).rejects.toThrow(/not those of the file/);
    await expect(recorded(old.tenant.id, { head_before: 'another' })).rejects.toThrow(/does not follow/);
    await expect(recorded(stranger.id)).rejects.toThrow(/another tenant/);
    expect((await old.stored(sent)).length).toBe(row?.rows);
  });

  it('leave exports that say where they are', async () => {
    const sent = await old.declined();
    const head = (await audit(sent)).at(-1);
    const archived = (await run()) as FileView;
    const { files } = await signing.app.get(SigningExport, { strict: false }).source(old.tenant.id);
    const lines = (name: string) =>
      signing.app.get(Database).tenant(old.tenant.id, async (tx) => {
        const found = [];
        for await (const rows of files.find((file) => file.name === name)?.pages(tx) ?? []) found.push(...rows);
        return found.map(({ line }) => line);
      });
    const { id, object_key, sha256 } = archived;
    const signature = expect.stringMatching(/^[0-9a-f]{512}$/) as string;
    expect(await lines('trail-archives')).toMatchObject([{ id, object_key, sha256, from_seq: 1, signature }]);
    expect(await lines('archived-trails')).toEqual([
      { envelope_id: sent.id, archive_id: id, first_row: 1, seq: head?.seq, hash: head?.hash },
    ]);
    const [file] = await store.query<{ key_fingerprint: string }>(
      'select key_fingerprint from signing.trail_archive where id = $1',
      [id],
    );
    expect(await lines('archive-keys')).toMatchObject([{ fingerprint: file?.key_fingerprint }]);
    expect(await lines('envelope-trails')).toEqual([]);
  });
});

describe('what is personal in an archived trail', () => {
  it('is readable in no file, before and after an erasure, and ends with its key', async () => {
    const sent = await old.declined();
    const before = await audit(sent);
    for (const part of ['127.0.0.1', 'Navegador/7.0']) expect(JSON.stringify(before)).toContain(part);
    const archived = (await run()) as FileView;
    const bytes = () => fs.readFileSync(objectPath(archived.object_key), 'utf8');
    const salts = before.map(({ data }) => (data as { salt?: string }).salt).filter((salt) => salt !== undefined);
    for (const part of [...PERSONAL, ...salts]) expect(bytes()).not.toContain(part);

    const erasure = await signing.call<{ modules: object[] }>('/v1/erasures', {
      key: old.tenant.apiKey,
      body: { subject_ref: 'ana', email: PERSONAL[0] },
    });
    expect(erasure.body.modules).toMatchObject([{ status: 'done', erased: ['signers'], kept: ['envelope_trails'] }]);
    expect(await audit(sent)).toEqual(before); // the trail is evidence that an erasure keeps (ADR 0120)

    const [trail] = await store.query<{ key_id: string }>(
      'select key_id from signing.archived_trail where envelope_id = $1',
      [uuid(sent)],
    );
    const { tenant } = old;
    await signing.app
      .get(Database)
      .tenant(tenant.id, (tx) => signing.app.get(PersonalData).destroy(tx, tenant.id, [trail?.key_id as string]));
    const rows = await rowsOf(archived);
    for (const part of [...PERSONAL, ...salts]) expect(JSON.stringify(rows)).not.toContain(part);
    expect(rows.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    expect(await audit(sent)).toMatchObject(before.map(({ seq, hash }) => ({ seq, hash, ip: null, data: {} })));
    expect(await verdictOf(archived)).toMatchObject({ valid: true });
    expect((await verified(sent)).trail.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  });
});

describe('the archive of trails', () => {
  let sent: SentEnvelope;
  beforeEach(async () => {
    sent = await old.declined();
  });

  archiveFaults(
    () => ({
      ...running(),
      tenant: old.tenant,
      state: () => old.stored(sent),
      answers: async () => [
        await signing.call(`/v1/envelopes/${sent.id}/audit`, { key: old.tenant.apiKey }),
        await signing.call(await publicPath(sent)),
      ],
      moreRows: async () => void (await old.declined()),
    }),
    {
      table: 'signing.trail_archive',
      steps: [
        ['signing.trail_archive', 'after insert'],
        ['signing.subject_key', 'after insert'],
        ['signing.archived_trail', 'after insert'],
        ['signing.envelope_event', 'after delete'],
      ],
      changed: ['"seq":2', '"seq":9'],
      removed: /\n.*"seq":2,.*\n/,
      isSame: false,
    },
  );
});

it('runs at the same time do no harm: each trail is in one file, and no event is lost', async () => {
  const sents = [await old.declined(), await old.sealed()];
  const before = await Promise.all(sents.map(audit));
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => archives.archiveNext(old.tenant.id, 'noche', 'test')),
    ...Array.from({ length: 5 }, () => old.record(sents[1] as SentEnvelope, 'signer.link_opened')),
  ]);
  // An event that comes between reading and recording refuses that run; the next one has it.
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toMatch(/not those of the file/);
  while ((await archives.archiveNext(old.tenant.id, 'noche', 'test')) !== null);
  const files = await filesOf();
  for (const file of files) expect(await verdictOf(file)).toMatchObject({ valid: true });
  const after = await Promise.all(sents.map(audit));
  expect(after[0]).toEqual(before[0]);
  expect(after[1]).toHaveLength((before[1]?.length ?? 0) + 5);
  for (const events of after) expect(verifyChain(events)).toMatchObject({ valid: true });
  const named = files.flatMap(({ object_key }) => [path.basename(object_key), `${path.basename(object_key)}.sig`]);
  const folder = path.dirname(objectPath(files[0]?.object_key ?? ''));
  if (outcomes.every(({ status }) => status === 'fulfilled'))
    expect(fs.readdirSync(folder).sort()).toEqual(named.sort());
});

describe('a file whose records were changed', () => {
  it('is found when the records were changed to match, by the chain of a trail or what names its links', async () => {
    const sent = await old.sealed();
    const archived = (await run()) as FileView;
    const here = `where envelope_id = '${uuid(sent)}'`;
    await forged(store, 'signing.archived_trail', `events = events - 1 ${here}`);
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'chain' });
    await forged(store, 'signing.archived_trail', `events = events + 1 ${here}`);
    expect(await verdictOf(archived)).toMatchObject({ valid: true });
    await forged(store, 'signing.envelope', `trail_hash = repeat('1', 64) where id = '${uuid(sent)}'`);
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'chain' });
  });

  it('is found when an event that came later does not go on from it', async () => {
    const sent = await old.declined();
    const archived = (await run()) as FileView;
    await old.record(sent, 'signer.link_opened');
    expect(await verdictOf(archived)).toMatchObject({ valid: true });
    await forged(store, 'signing.envelope_event', `prev_hash = repeat('1', 64) where envelope_id = '${uuid(sent)}'`);
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'chain' });
  });
});
