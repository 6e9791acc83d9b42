import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stepResultContext, subjectKeyContext } from '@constancia/contracts';
import { sealRecord, uuidOf } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { openObject } from '@constancia/storage';
import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimedRun,
  FlowCaller,
  type RunningIdentity,
  runningIdentity,
  type Session,
  WorkerHarness,
} from '../running-identity.fixture.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { IDENTITY_TABLES } from '../tables.ts';
import { createEmbed, registerOrigins } from '../embed/embed.fixture.ts';
import { DocumentDigest } from '../subjects/document-digest.ts';
import { SubjectKeys } from '../subjects/subject-keys.ts';
import { SubjectRecords } from '../subjects/subject-records.ts';
import { Subjects } from '../subjects/subjects.ts';
import { picture } from '../uploads/pictures.fixture.ts';
import { RetentionSweep } from './retention-sweep.ts';

const CANARY_NUMBER = '1090909090';
const CANARY_NAME = 'CANARIA INVENTADA';

interface Subject {
  subject_id: string;
  external_ref: string | null;
  kyc_status: string;
  document_number_masked: string | null;
  full_name: string | null;
  age_years: number | null;
  erased_at: string | null;
  receipt_id: string | null;
}
interface Receipt {
  receipt_id: string;
  subject_id: string;
  erased_at: string;
  legal_hold: boolean;
}

let database: TestDatabase;
let platform: RunningIdentity;
let folder: string;
let tenant: TestTenant;
let flows: FlowCaller;
let identity: IdentityDatabase;

beforeAll(async () => {
  database = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-privacy-'));
  platform = await runningIdentity(database, { STORAGE_DIR: folder });
  identity = await IdentityDatabase.connect({
    ...{ url: database.app('identity'), applicationName: 'test', entities: IDENTITY_TABLES },
  });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  flows = new FlowCaller(platform, tenant, database);
  await flows.seed();
});

afterAll(async () => {
  await identity?.close();
  await platform?.close();
  await database?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const show = (id: string, key = tenant.apiKey) => platform.call<Subject>(`/v1/kyc/subjects/${id}`, { key });
const erase = (id: string, key = tenant.apiKey) =>
  platform.call<Receipt>(`/v1/kyc/subjects/${id}`, { method: 'DELETE', key });

async function upload({ subject_id }: Pick<Session, 'subject_id'>, kind = 'selfie'): Promise<string> {
  const { body } = await platform.call<{ upload_url: string; stored_uri: string }>(
    `/v1/kyc/subjects/${subject_id}/presign-upload`,
    { key: tenant.apiKey, body: { kind } },
  );
  const address = body.upload_url.replace('http://platform.test', '');
  const sent = await platform.call(address, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: await picture(),
  });
  expect(sent.status).toBe(204);
  return body.stored_uri;
}

/** The readers of another process on the same store: nothing is in their memory. */
function otherProcess() {
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: platform.kms.url });
  const keys = new SubjectKeys(identity, dataKeys);
  const subjects = new Subjects(keys, platform.app.get(DocumentDigest));
  return { keys, records: new SubjectRecords(identity, subjects) };
}

const sweepRetention = () => platform.app.get(RetentionSweep).run();

/** A session whose document was accepted. */
async function atFace(): Promise<Session> {
  const session = await flows.open();
  await flows.advance(session, { accepted: true });
  const worker = await WorkerHarness.start(database, platform.kms);
  const answer = await flows.advance(session, await flows.documentInput(session));
  await worker.stop();
  expect(answer.body.current_step).toBe('face_match');
  return session;
}

/** The run that waits, as a worker takes it. */
function claimedRun(): Promise<ClaimedRun> {
  return eventually(async () => {
    const [run] = await identity.query<ClaimedRun>('select * from identity.claim_step_runs(1, 60)');
    expect(run).toBeDefined();
    return run as ClaimedRun;
  });
}

/** A record sealed by who unwrapped the key before. */
async function sealedUnder(wrapped: Buffer, subjectId: string, context: string): Promise<Buffer> {
  const keys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: platform.kms.url });
  const key = await keys.unwrap(wrapped, subjectKeyContext(tenant.id, subjectId));
  keys.close();
  return sealRecord(key, { tenantId: tenant.id, subjectId }, context, JSON.stringify({ v: 1, score: 0.9 }));
}

async function learn(subjectId: string, found: { fullName: string; birthDate: string }): Promise<void> {
  const subjects = platform.app.get(Subjects);
  await identity.tenant(tenant.id, async (tx) => {
    const subject = await subjects.find(tx, tenant.id, uuidOf('sub', subjectId) as string);
    await subjects.learn(tx, subject, found);
  });
}

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await database.query(`select * from identity.subject where id = $1`, [uuidOf('sub', id)]);
  return row as Record<string, unknown>;
}

const objects = (): string[] =>
  (fs.readdirSync(folder, { recursive: true, withFileTypes: true }) as fs.Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('a subject', () => {
  it('is the same for the same external_ref, also when many come at once, and a new one without', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => flows.open({ external_ref: 'customer-1' })));
    expect(new Set(opened.map(({ subject_id }) => subject_id)).size).toBe(1);
    const [one, two] = [await flows.open(), await flows.open()];
    expect(new Set([one.subject_id, two.subject_id, opened[0]?.subject_id]).size).toBe(3);
  });

  it('shows its number masked, its age in Colombia, and to its tenant alone', async () => {
    const { subject_id } = await flows.open({ document_number: CANARY_NUMBER, external_ref: 'customer-2' });
    await learn(subject_id, { fullName: CANARY_NAME, birthDate: '1990-05-17' });
    const { status, body } = await show(subject_id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      subject_id,
      external_ref: 'customer-2',
      document_type: 'CC',
      document_country: 'CO',
      document_number_masked: '••••••9090',
      full_name: CANARY_NAME,
      birth_date: '1990-05-17',
      restrictive_list_hits: [],
      verified_at: null,
    });
    expect(body.age_years).toBeGreaterThanOrEqual(36);
    const stranger = await testTenant(database);
    expect((await show(subject_id, stranger.apiKey)).status).toBe(404);
    expect((await show('sub_nonsense')).status).toBe(404);
  });

  it('is nowhere in the store in the clear', async () => {
    const { subject_id } = await flows.open({ document_number: CANARY_NUMBER, email: 'canary@example.com' });
    await learn(subject_id, { fullName: CANARY_NAME, birthDate: '1990-05-17' });
    await platform.call('/v1/flows/sessions', {
      key: tenant.apiKey,
      body: { document_type: 'CC', document_number: CANARY_NUMBER, country: 'CO', email: 'canary@example.com' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    await erase(subject_id); // what other modules are asked waits in a table
    const tables = await database.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_schema in ('identity', 'platform', 'queue') and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
      const all = rows.map(({ text }) => text).join('\n');
      for (const secret of [CANARY_NUMBER, CANARY_NAME, 'canary@example.com']) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  });

  it('is listed by reference and status, page by page', async () => {
    const made = [await flows.open({ external_ref: 'a' }), await flows.open({ external_ref: 'b' }), await flows.open()];
    const list = async (query: string) =>
      (
        await platform.call<{ data: Subject[]; next_cursor: string | null }>(`/v1/kyc/subjects${query}`, {
          key: tenant.apiKey,
        })
      ).body;
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    const ids = [...first.data, ...second.data].map(({ subject_id }) => subject_id);
    expect(ids).toEqual(made.map(({ subject_id }) => subject_id).reverse());
    expect(second.next_cursor).toBeNull();
    expect((await list('?external_ref=b')).data.map(({ subject_id }) => subject_id)).toEqual([made[1]?.subject_id]);
    expect((await list('?kyc_status=approved')).data).toEqual([]);
  });

  it('cannot be opened while KMS is unavailable: 503, and again when it is back', async () => {
    const { subject_id } = await flows.open();
    const fresh = otherProcess();
    platform.kms.setMode('5xx');
    try {
      await expect(fresh.records.show(tenant.id, subject_id)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    } finally {
      platform.kms.setMode('ok');
    }
    expect((await fresh.records.show(tenant.id, subject_id)).subject_id).toBe(subject_id);
  }, 30_000);
});

describe('an erasure', () => {
  it('leaves a tombstone and a receipt, the same one again, and ends running sessions', async () => {
    const session = await flows.open({ external_ref: 'leaving', document_number: CANARY_NUMBER });
    await upload(session);
    expect((await show(session.subject_id)).body.receipt_id).toBeNull();
    const first = await erase(session.subject_id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ subject_id: session.subject_id, legal_hold: false });
    expect(first.body.receipt_id).toMatch(/^rcp_/);
    expect((await erase(session.subject_id)).body).toEqual(first.body);

    expect((await show(session.subject_id)).body).toMatchObject({
      document_number_masked: null,
      full_name: null,
      external_ref: null,
      erased_at: first.body.erased_at,
      receipt_id: first.body.receipt_id,
    });
    expect(await flows.show(session)).toMatchObject({ status: 'failed', rejection_reason: 'erased' });
    expect((await flows.advance(session, { accepted: true })).status).toBe(409);
    expect((await flows.open({ external_ref: 'leaving' })).subject_id).not.toBe(session.subject_id);
    expect((await erase(session.subject_id, (await testTenant(database)).apiKey)).status).toBe(404);
  });

  it('makes stored bytes worthless, even to who copied them with the unwrapped key’s wrapping', async () => {
    const session = await flows.open();
    const uri = await upload(session);
    const [assetId, before] = [uuidOf('ast', uri.slice(8)) as string, await rowOf(session.subject_id)];
    const subjectId = before.id as string;
    const file = path.join(folder, 'subjects', tenant.id, subjectId, `${assetId}.v1`);
    const copied = fs.readFileSync(file);
    await erase(session.subject_id);

    expect(fs.existsSync(file)).toBe(false);
    expect(await rowOf(session.subject_id)).toMatchObject({
      wrapped_key: null,
      sealed: null,
      document_number_hmac: null,
    });
    const opened = await identity.tenant(tenant.id, (tx) => otherProcess().keys.of(tx, tenant.id, subjectId));
    expect(opened).toBeNull();
    // Without the row's wrapped key no other key opens the copy: neither a new one of KMS nor another subject's.
    const keys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: platform.kms.url });
    const name = { tenantId: tenant.id, subjectId, assetId, version: 1 };
    const { plaintext } = await keys.generate(subjectKeyContext(tenant.id, subjectId));
    expect(() => openObject(plaintext, copied, name)).toThrow();
    // Who kept a copy of the wrapped key from a backup still needs KMS: see the decision on personal data at rest.
    const fromBackup = await keys.unwrap(before.wrapped_key as Buffer, subjectKeyContext(tenant.id, subjectId));
    expect(openObject(fromBackup, copied, name).subarray(0, 2).toString('hex')).toBe('ffd8');
    await expect(keys.unwrap(before.wrapped_key as Buffer, subjectKeyContext(tenant.id, assetId))).rejects.toThrow();
    keys.close();
  });

  it('under a legal hold removes pictures, keeps document and name, and ends with the hold', async () => {
    await platform.call('/v1/identity-settings', {
      method: 'PUT',
      key: tenant.apiKey,
      body: { legal_hold_days: 1_825 },
    });
    const session = await flows.open({ document_number: CANARY_NUMBER, email: 'canary@example.com' });
    await upload(session);
    await learn(session.subject_id, { fullName: CANARY_NAME, birthDate: '1990-05-17' });
    const subjectId = uuidOf('sub', session.subject_id) as string;
    await database.query(`update identity.subject set kyc_status = 'approved', decided_at = now() where id = $1`, [
      subjectId,
    ]);
    expect((await erase(session.subject_id)).body.legal_hold).toBe(true);
    expect(objects().filter((file) => file.includes(subjectId))).toEqual([]);
    expect((await show(session.subject_id)).body).toMatchObject({ full_name: CANARY_NAME, kyc_status: 'approved' });

    await database.query(`update identity.subject set legal_hold_until = now() where id = $1`, [subjectId]);
    await sweepRetention();
    expect((await show(session.subject_id)).body).toMatchObject({ full_name: null, document_number_masked: null });
    expect(await rowOf(session.subject_id)).toMatchObject({ wrapped_key: null, legal_hold_until: null });
  });

  it.each([0, 1_825])(
    'while a step is worked on ends it: nothing is charged, nothing that was found is kept (legal hold of %i days)',
    async (legal_hold_days) => {
      await platform.call('/v1/identity-settings', { method: 'PUT', key: tenant.apiKey, body: { legal_hold_days } });
      const session = await atFace();
      const subjectId = uuidOf('sub', session.subject_id) as string;
      const before = await rowOf(session.subject_id);
      // Decided in an earlier session: with a hold, its key stays.
      await database.query('update identity.subject set decided_at = now() where id = $1', [subjectId]);
      const waiting = flows.advance(session, await flows.faceInput(session));
      const run = await claimedRun();
      expect(await flows.balance()).toEqual({ available: 920, held: 80 });
      expect((await erase(session.subject_id)).body.legal_hold).toBe(legal_hold_days > 0);

      const sealed = await sealedUnder(before.wrapped_key as Buffer, subjectId, stepResultContext(run.id));
      await identity.query(`select identity.finish_step_run($1, $2, 'pass', null, $3, 'late', '1')`, [
        run.id,
        run.lease_token,
        sealed,
      ]);
      expect(await waiting).toMatchObject({
        status: 409,
        body: { status_of_session: 'failed', rejection_reason: 'erased' },
      });
      expect(await flows.balance()).toEqual({ available: 1_000, held: 0 });
      const [left] = await database.query('select status, effect, result_sealed from identity.step_run where id = $1', [
        run.id,
      ]);
      expect(left).toEqual({ status: 'applied', effect: 'dropped', result_sealed: null });
      const [kept] = await database.query('select sealed_context from identity.flow_session where subject_id = $1', [
        subjectId,
      ]);
      expect(kept).toEqual({ sealed_context: null });
    },
  );

  it('is announced to every process: a key that another one had unwrapped is dropped from its memory', async () => {
    const session = await flows.open();
    const subjectId = uuidOf('sub', session.subject_id) as string;
    const { keys } = otherProcess();
    await keys.onApplicationBootstrap();
    const wrapped = (await rowOf(session.subject_id)).wrapped_key as Buffer;
    await keys.unwrap(tenant.id, subjectId, wrapped);
    // The erasure itself opens the record: it gives the signing module the address of the person.
    await platform.call(`/v1/kyc/subjects/${session.subject_id}`, { key: tenant.apiKey });
    platform.kms.setMode('5xx'); // from here on a key is in memory or nowhere
    try {
      expect(await keys.unwrap(tenant.id, subjectId, wrapped)).toHaveLength(32);
      expect((await erase(session.subject_id)).status).toBe(200);
      await eventually(() =>
        expect(keys.unwrap(tenant.id, subjectId, wrapped)).rejects.toMatchObject({ slug: 'dependency-unavailable' }),
      );
    } finally {
      platform.kms.setMode('ok');
      await keys.onApplicationShutdown();
    }
  }, 60_000);

  it('and uploads at once leave no picture', async () => {
    const session = await flows.open();
    const before = objects().length;
    await Promise.all([
      ...Array.from({ length: 5 }, () => upload(session).catch(() => undefined)),
      new Promise((resolve) => setTimeout(resolve, 60)).then(() => erase(session.subject_id)),
    ]);
    await database.query(`update identity.asset set claim_until = null, lease_until = null`);
    await sweepRetention();
    expect(objects()).toHaveLength(before);
    const [left] = await database.query<{ n: number }>(
      `select count(*)::int as n from identity.asset where subject_id = $1 and status in ('awaiting', 'stored', 'deleting')`,
      [uuidOf('sub', session.subject_id)],
    );
    expect(left?.n).toBe(0);
  });
});

describe('retention', () => {
  it('has defaults, is replaced as a whole, and is the tenant’s own', async () => {
    const get = (key = tenant.apiKey) => platform.call('/v1/identity-settings', { key });
    expect((await get()).body).toEqual({ image_retention_days: 90, session_retention_days: 1825, legal_hold_days: 0 });
    const put = (body: object) => platform.call('/v1/identity-settings', { method: 'PUT', key: tenant.apiKey, body });
    expect((await put({ image_retention_days: 7 })).body).toMatchObject({ image_retention_days: 7 });
    expect((await put({ session_retention_days: 0 })).status).toBe(400);
    expect((await get((await testTenant(database)).apiKey)).body).toMatchObject({ image_retention_days: 90 });
  });

  it('removes each picture whose time is over once, however many processes sweep', async () => {
    const session = await flows.open();
    const [old, young] = [await upload(session), await upload(session)];
    const id = (uri: string) => uuidOf('ast', uri.slice(8)) as string;
    await database.query(`update identity.asset set stored_at = now() - interval '91 days' where id = $1`, [id(old)]);
    const before = objects().length;
    await Promise.all([sweepRetention(), sweepRetention(), sweepRetention()]);
    expect(objects()).toHaveLength(before - 1);
    const states = await database.query(
      `select id, status, delete_reason from identity.asset where id = any ($1) order by id`,
      [[id(old), id(young)]],
    );
    expect(states).toEqual([
      { id: id(old), status: 'deleted', delete_reason: 'retention' },
      { id: id(young), status: 'stored', delete_reason: null },
    ]);
  });

  it('of the tenant decides when pictures go: a shorter one before, a longer one after the default', async () => {
    const retain = (image_days: number) =>
      platform.call(`/tenants/${tenant.id}/retention`, {
        method: 'PUT',
        key: tenant.apiKey,
        body: { identity: { image_days } },
      });
    const asset = uuidOf('ast', (await upload(await flows.open())).slice(8));
    const statusAfter = async (days: number) => {
      await database.query(`update identity.asset set stored_at = now() - make_interval(days => $2) where id = $1`, [
        ...[asset, days],
      ]);
      await sweepRetention();
      const [row] = await database.query<{ status: string }>(`select status from identity.asset where id = $1`, [
        asset,
      ]);
      return row?.status;
    };
    await retain(365);
    expect(await statusAfter(364)).toBe('stored');
    await retain(7);
    expect(await statusAfter(8)).toBe('deleted');
  });

  it('removes frames of passive liveness with the selfie that they were taken beside', async () => {
    const session = await flows.open();
    const subjectId = uuidOf('sub', session.subject_id) as string;
    for (const kind of ['selfie', 'liveness_frame', 'liveness_frame', 'liveness_frame']) await upload(session, kind);
    const own = path.join(folder, 'subjects', tenant.id, subjectId);
    const stored = () => (fs.existsSync(own) ? fs.readdirSync(own) : []);
    expect(stored()).toHaveLength(4);
    await database.query(`update identity.asset set stored_at = now() - interval '91 days' where subject_id = $1`, [
      subjectId,
    ]);
    await sweepRetention();
    expect(stored()).toEqual([]);
  });

  it('removes what a process that died left half removed', async () => {
    const session = await flows.open();
    const asset = uuidOf('ast', (await upload(session)).slice(8));
    await database.query(
      `update identity.asset set status = 'deleting', delete_reason = 'retention', lease_until = now() - interval '1 s' where id = $1`,
      [asset],
    );
    const before = objects().length;
    await sweepRetention();
    expect(objects()).toHaveLength(before - 1);
  });

  it('forgets addresses that nobody used, with the row', async () => {
    const { subject_id } = await flows.open();
    const { body } = await platform.call<{ stored_uri: string }>(`/v1/kyc/subjects/${subject_id}/presign-upload`, {
      key: tenant.apiKey,
      body: { kind: 'doc_front' },
    });
    const asset = uuidOf('ast', body.stored_uri.slice(8));
    await database.query(`update identity.asset set expires_at = now() - interval '1 s' where id = $1`, [asset]);
    await sweepRetention();
    expect(await database.query(`select 1 from identity.asset where id = $1`, [asset])).toEqual([]);
  });

  it('forgets what an old session gathered, why people decided it, and what its embed sessions say', async () => {
    const session = await flows.open();
    await registerOrigins(flows);
    const written = { external_ref: 'Ana Inventada', metadata: { mail: 'ana@example.com' } };
    const { body: embed } = await createEmbed(flows, { target_id: session.id, ...written });
    const subjects = platform.app.get(Subjects);
    const sealed = await identity.tenant(tenant.id, async (tx) => {
      const subject = await subjects.find(tx, tenant.id, uuidOf('sub', session.subject_id) as string);
      return subjects.seal(tx, subject, 'x', '{}');
    });
    await database.query(
      `update identity.flow_session set status = 'failed', rejection_reason = 'expired', current_step = null,
         completed_at = now() - interval '1826 days', sealed_context = $2 where id = $1`,
      [uuidOf('fls', session.id), sealed],
    );
    await database.query(
      `insert into identity.session_review (id, tenant_id, session_id, decision, actor, sealed_reason, status)
       values (gen_random_uuid(), $1, $2, 'approve', 'ana', $3, 'decided')`,
      [tenant.id, uuidOf('fls', session.id), sealed],
    );
    await sweepRetention();
    const [row] = await database.query(`select sealed_context, forgotten_at from identity.flow_session where id = $1`, [
      uuidOf('fls', session.id),
    ]);
    expect(row).toMatchObject({ sealed_context: null, forgotten_at: expect.any(Date) });
    const reviews = 'select decision, actor, sealed_reason from identity.session_review where session_id = $1';
    expect(await database.query(reviews, [uuidOf('fls', session.id)])).toEqual([
      { decision: 'approve', actor: 'ana', sealed_reason: null },
    ]);
    const { body: shown } = await platform.call(`/v1/embed/sessions/${embed.id}`, { key: tenant.apiKey });
    expect(shown).toMatchObject({ external_ref: null, metadata: {} });
  });
});

describe('another subject’s picture', () => {
  it('is no picture: 404, as an unknown one', async () => {
    const [mine, theirs] = [await flows.open(), await flows.open()];
    const uri = await upload(theirs);
    await flows.advance(mine, { accepted: true });
    for (const front of [uri, 'asset://ast_00000000000000000000000000']) {
      expect((await flows.advance(mine, { doc_front_uri: front, doc_back_uri: uri })).status).toBe(404);
    }
  });
});

describe('consent', () => {
  it('is kept as evidence that is never changed, its origin sealed', async () => {
    const session = await flows.open();
    expect((await flows.advance(session, { accepted: true, locale: 'en' })).status).toBe(200);
    const [row] = await database.query<Record<string, unknown>>(
      `select * from identity.consent_evidence where session_id = $1`,
      [uuidOf('fls', session.id)],
    );
    expect(row).toMatchObject({ locale: 'en', sensitive_data: true, subject_id: uuidOf('sub', session.subject_id) });
    expect((row?.text_sha256 as Buffer).length).toBe(32);
    await expect(database.query(`update identity.consent_evidence set locale = 'es-CO'`)).rejects.toThrow(
      'never changed',
    );
    expect(sealRecord(Buffer.alloc(32), { tenantId: 'a', subjectId: 'b' }, 'c', 'd')).not.toEqual(row?.sealed_origin);
  });
});
