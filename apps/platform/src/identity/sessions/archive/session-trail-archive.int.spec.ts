import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { uuidOf } from '@constancia/kernel';
import { type ChainedEvent, verifyChain } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  archiveFaults,
  type FileView,
  forged,
  OperatorsView,
} from '../../../../../../libs/archives/src/archive-faults.fixture.ts';
import { StatementSeal } from '../../../billing/statements/statement-seal.ts';
import { IdentityExport } from '../../export/identity-export.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { FlowCaller, runningIdentity, type RunningIdentity, type Session } from '../../running-identity.fixture.ts';
import { SANDBOX_TRIGGERS } from '../sandbox-triggers.ts';
import { appendTrail } from '../session-trail.ts';
import { SessionTrailArchives } from './session-trail-archives.ts';

let store: TestDatabase;
let platform: RunningIdentity;
let folder: string;
let ops: OpsPort;
let archives: SessionTrailArchives;
let flows: FlowCaller;

beforeAll(async () => {
  store = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'session-trails-'));
  platform = await runningIdentity(store, {
    ...(await kmsVariables()),
    STATEMENT_KEY_ID: (await testKms()).keyId,
    STORAGE_DIR: folder,
  });
  ops = await opsPortOf(platform.app);
  archives = platform.app.get(SessionTrailArchives, { strict: false });
  await platform.app.get(StatementSeal, { strict: false }).archiveKey(); // issues its certificate, which takes seconds here
}, 120_000);
afterAll(async () => {
  await ops?.close();
  await platform?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  flows = await newFlows();
});

type TrailPage = { data: (ChainedEvent & Record<string, unknown>)[]; next_cursor: string | null; chain_valid: boolean };

async function newFlows(): Promise<FlowCaller> {
  const created = new FlowCaller(platform, await testTenant(store), store);
  await created.seed();
  return created;
}

const uuid = ({ id }: Pick<Session, 'id'>) => uuidOf('fls', id) as string;

/** A session that a sandbox trigger took to its end, so long ago. */
async function ended(interval = '12 years', of = flows): Promise<Session> {
  const approve = SANDBOX_TRIGGERS.find(({ name }) => name === 'approve');
  const session = await of.open({ document_number: approve?.documentNumber });
  await of.walk(session);
  await age(session, interval);
  return session;
}

async function age(session: Pick<Session, 'id'>, interval: string): Promise<void> {
  await store.query('update identity.flow_session set completed_at = now() - $2::interval where id = $1', [
    uuid(session),
    interval,
  ]);
}

const auditPath = ({ id }: Pick<Session, 'id'>) => `/v1/flows/sessions/${id}/audit`;

async function audit(session: Session): Promise<TrailPage> {
  const { status, body } = await platform.call<TrailPage>(`${auditPath(session)}?limit=100`, {
    key: flows.tenant.apiKey,
  });
  expect(status).toBe(200);
  return body;
}

const story = async ({ id }: Session) => (await ops.get(`/story/${id}`)).body;
const stored = (session: Pick<Session, 'id'>) =>
  store.query('select seq from identity.session_event where session_id = $1 order by seq', [uuid(session)]);

async function run(of = flows): Promise<FileView | null> {
  const body = { tenant: of.tenant.slug, reason: 'ten years' };
  const answer = await ops.post<{ archived: FileView | null }>('/archives/session-trails/run', body);
  expect(answer.status).toBe(200);
  return answer.body.archived;
}

const running = () => ({ store, ops, archives, objects: platform.app.get(ObjectStore), folder });
const view = () => new OperatorsView(running());

/** What happens to a session years later. */
const erasedLater = (session: Session) =>
  platform.app
    .get(IdentityDatabase, { strict: false })
    .tenant(flows.tenant.id, (tx) =>
      appendTrail(tx, { tenantId: flows.tenant.id, sessionId: uuid(session) }, [
        { type: 'erased', actor: 'system', step: null, from: 'completed', to: 'completed', data: {} },
      ]),
    );

describe('trails of sessions that ended long ago', () => {
  it('go into a signed file and out of the database, and are read as before', async () => {
    const sessions = [await ended(), await ended()];
    const before = await Promise.all(sessions.map(async (each) => [await audit(each), await story(each)] as const));
    const events = before.flatMap(([{ data }]) => data);
    const file = (await run()) as FileView;
    expect(file).toMatchObject({ history: 'session-trails', from: 1, through: events.length, archived_by: 'noche' });
    expect(await run()).toBeNull();
    for (const [nth, session] of sessions.entries()) {
      expect(await stored(session)).toEqual([]);
      expect([await audit(session), await story(session)]).toEqual(before[nth]);
      expect((await audit(session)).chain_valid).toBe(true);
    }
    expect(await view().verdict(file)).toMatchObject({ valid: true, fault: null });
    expect((await view().rows(file)).body.data.map(({ hash }) => hash)).toEqual(events.map(({ hash }) => hash));
    const [act] = await store.query<{ type: string }>(
      'select type from platform.operator_act order by seq desc limit 1',
    );
    expect(act?.type).toBe('session.archived');
  });

  it('go on from their head when something happens to them later', async () => {
    const session = await ended();
    const before = await audit(session);
    const file = (await run()) as FileView;
    await erasedLater(session);
    const after = await audit(session);
    expect(after.data.slice(0, -1)).toEqual(before.data);
    expect(after.data.at(-1)).toMatchObject({ seq: before.data.length + 1, type: 'erased' });
    expect(after.chain_valid).toBe(true);
    expect(await view().verdict(file)).toMatchObject({ valid: true });
    expect(await run()).toBeNull();
    await forged(store, 'identity.session_event', `prev_hash = repeat('1', 64) where session_id = '${uuid(session)}'`);
    expect(await view().verdict(file)).toMatchObject({ valid: false, fault: 'chain' });
  });

  it('stay while their session has not ended 400 days ago, whatever is asked, and later ones wait for them', async () => {
    const young = await ended('399 days');
    await ended();
    const next = () =>
      store.query('select seq from identity.next_session_trail_archive($1, now(), 1000)', [flows.tenant.id]);
    expect(await next()).toEqual([]);
    await age(young, '401 days');
    expect((await next()).length).toBeGreaterThan(0);
    expect(await run()).toBeNull(); // SESSION_TRAIL_ARCHIVE_AFTER_DAYS
    await age(young, '11 years');
    expect(await run()).not.toBeNull();
  });

  it('of one that never ended are passed over, once it is as old', async () => {
    const stuck = await flows.open();
    const old = await ended();
    expect(await run()).toBeNull();
    await store.query(`update identity.flow_session set created_at = now() - interval '12 years' where id = $1`, [
      uuid(stuck),
    ]);
    expect(await run()).not.toBeNull();
    expect(await stored(old)).toEqual([]);
    expect(await stored(stuck)).toHaveLength(1);
  });

  it('are in files of one tenant each, which no other tenant and no other history reaches', async () => {
    const session = await ended();
    const other = await newFlows();
    await ended('12 years', other);
    const file = (await run()) as FileView;
    expect(await run(other)).toMatchObject({ from: 1 });
    expect((await platform.call(auditPath(session), { key: other.tenant.apiKey })).status).toBe(404);
    expect((await ops.get(`/archives/ledger/${file.id}/verify`)).status).toBe(404);
    const elsewhere = await ops.get<{ error: string }>('/archives/screenings');
    expect([elsewhere.status, elsewhere.body.error]).toEqual([
      404,
      'This process archives ledger and session-trails, not screenings.',
    ]);
  });

  it('are deleted in no other way, and the records of files are never changed', async () => {
    const session = await ended();
    await run();
    await erasedLater(session);
    for (const sql of [
      `delete from identity.session_event where session_id = '${uuid(session)}'`,
      'update identity.session_event set step = null',
      'truncate identity.session_event',
      'update identity.archived_session_trail set events = 1000',
      'delete from identity.archived_session_trail',
      'update identity.session_trail_archive set bytes = 1',
    ])
      await expect(store.query(sql), sql).rejects.toThrow(/never changed|cannot truncate/);
  });

  it('leave exports that say where they are', async () => {
    const session = await ended();
    const head = (await audit(session)).data.at(-1);
    const file = (await run()) as FileView;
    const { files } = platform.app.get(IdentityExport, { strict: false }).source(flows.tenant.id);
    const lines = (name: string) =>
      platform.app.get(IdentityDatabase, { strict: false }).tenant(flows.tenant.id, async (tx) => {
        const found = [];
        for await (const rows of files.find((one) => one.name === `identity/${name}`)?.pages(tx) ?? [])
          found.push(...rows);
        return found.map(({ line }) => line);
      });
    const { id, object_key, sha256 } = file;
    expect(await lines('session-trail-archives')).toMatchObject([{ id, object_key, sha256, from_seq: 1 }]);
    expect(await lines('archived-session-trails')).toEqual([
      { session_id: session.id, archive_id: id, first_row: 1, seq: head?.seq, hash: head?.hash },
    ]);
    expect(await lines('session-trails')).toEqual([]);
  });
});

describe('the archive of trails of sessions', () => {
  let session: Session;
  beforeEach(async () => {
    session = await ended();
  });

  archiveFaults(
    () => ({
      ...running(),
      tenant: flows.tenant,
      state: () => stored(session),
      answers: async () => [await platform.call(auditPath(session), { key: flows.tenant.apiKey })],
      moreRows: async () => void (await ended()),
    }),
    {
      table: 'identity.session_trail_archive',
      steps: [
        ['identity.session_trail_archive', 'after insert'],
        ['identity.archived_session_trail', 'after insert'],
        ['identity.session_event', 'after delete'],
      ],
      changed: ['"seq": 2', '"seq": 9'],
      removed: /\n.*"seq": 2,.*\n/,
      isSame: true,
    },
  );
});

it('runs at the same time do no harm: each trail is in one file, and no event is lost', async () => {
  const sessions = [await ended(), await ended()] as const;
  const before = await Promise.all(sessions.map(audit));
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => archives.archiveNext(flows.tenant.id, 'noche', 'test')),
    ...Array.from({ length: 5 }, () => erasedLater(sessions[1])),
  ]);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toMatch(/not those of the file/);
  while ((await archives.archiveNext(flows.tenant.id, 'noche', 'test')) !== null);
  for (const file of await view().files(flows.tenant))
    expect(await view().verdict(file)).toMatchObject({ valid: true });
  const after = await Promise.all(sessions.map(audit));
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.data).toHaveLength((before[1]?.data.length ?? 0) + 5);
  for (const { data } of after) expect(verifyChain(data)).toMatchObject({ valid: true });
});
