import { SecretBox, typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { Database, eventHash } from '@constancia/persistence';
import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { createLogger } from '@constancia/telemetry';
import type { ModuleErasure } from '@constancia/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queuesOfApp } from '../../../../libs/queue/src/queues-of-app.fixture.ts';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { importEntries } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import { COMPLIANCE_TABLES } from '../tables.ts';
import { ClosedTenantsSweep } from './closed-tenants-sweep.ts';
import { DutySweep } from './duty-sweep.ts';
import { Erasure } from './erasure.ts';
import { PICTURE } from '../cases/case-workbench.fixture.ts';
import { personalData } from '../cases/cases.fixture.ts';
import { Idempotency } from '@constancia/idempotency';
import type { BlockedDataView } from './read-blocked-data.ts';
import type { ErasureView } from './erasure-view.ts';

let store: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

const CANARY = 'Canaria Inventada Listada';
const PERSON = { full_name: CANARY, birth_date: '1987-03-14', document_type: 'CC', document_number: '1032456798' };

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  await listsLoaded(compliance, (await testTenant(store)).apiKey);
});
beforeEach(async () => {
  tenant = await testTenant(store);
  await seededValidation(compliance, tenant.apiKey);
});
afterAll(async () => {
  await compliance?.close();
  await store?.drop();
});

const get = <Body = Record<string, unknown>>(path: string, key = tenant.apiKey) => compliance.call<Body>(path, { key });
const post = <Body>(path: string, body: object, headers: Record<string, string> = {}) =>
  compliance.call<Body>(path, { method: 'POST', key: tenant.apiKey, body, headers });
const screened = async (ref: string, headers: Record<string, string> = {}) =>
  (
    await post<{ id: string; case_id: string | null; list_hits: string[] }>(
      '/v1/screenings',
      { subject_ref: ref, subject_type: 'natural', payload: PERSON },
      headers,
    )
  ).body;
/** Attaches a picture; answers the id of the attachment. */
const attached = async (caseId: string | null) =>
  (
    await compliance.call<{ id: string }>(`/v1/cases/${caseId}/attachments`, {
      key: tenant.apiKey,
      body: PICTURE,
      headers: { 'content-type': 'image/png', 'x-file-name': 'foto.png' },
    })
  ).body.id;
const erase = async (ref: string) => (await post<ErasureView>('/v1/erasures', { subject_ref: ref })).body;
const listed = () =>
  importEntries(compliance, 'ONU', [{ id: 'I-1', name: CANARY, birthDate: '1987-03-14' }], { force: true });

describe('an erasure', () => {
  it('blocks screenings and cases: in no list, search, count or export, 404 by id, monitored no more', async () => {
    await listed();
    const { id, case_id } = await screened('customer-1');
    const other = await screened('customer-2');
    await post(`/v1/cases/${case_id}/comment`, { body: 'La señora llamó.' });
    const receipt = await erase('customer-1');
    expect(receipt.modules).toMatchObject([
      {
        module: 'compliance',
        status: 'done',
        erased: expect.arrayContaining(['monitoring', 'stored_answers']),
        kept: ['screenings', 'cases'],
      },
    ]);
    expect(receipt.modules[0]?.legal_basis).toMatch(/SARLAFT/);
    expect(new Date(receipt.modules[0]?.kept_until as string).getUTCFullYear()).toBe(new Date().getUTCFullYear() + 5);
    for (const path of [`/v1/screenings/${id}`, `/v1/screenings/${id}/replay`, `/v1/cases/${case_id}`]) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await post(`/v1/cases/${case_id}/comment`, { body: 'x' })).status).toBe(404);
    const screenings = (await get<{ data: { id: string }[] }>('/v1/screenings')).body.data.map((one) => one.id);
    expect(screenings).toEqual([other.id]);
    const cases = (await get<{ data: { id: string }[] }>('/v1/cases?subject_ref=customer-1')).body.data;
    expect(cases).toEqual([]);
    const stats = (await get<{ by_status: Record<string, number> }>('/v1/cases/stats')).body;
    expect(stats.by_status).toMatchObject({ open: 1 });
    expect((await get('/v1/cases/export')).headers.get('x-row-count')).toBe('1');
    const watched = await store.query('select subject_ref from compliance.monitored_subject where tenant_id = $1', [
      tenant.id,
    ]);
    expect(watched).toEqual([{ subject_ref: 'customer-2' }]);
  });

  it('answers the same receipt again, shows it later, and is nobody else’s', async () => {
    await screened('customer-1');
    const receipt = await erase('customer-1');
    expect(await erase('customer-1')).toEqual(receipt);
    expect((await get(`/v1/erasures/${receipt.receipt_id}`)).body).toEqual(receipt);
    const stranger = await testTenant(store);
    for (const path of [`/v1/erasures/${receipt.receipt_id}`, `/v1/erasures/${receipt.receipt_id}/data?reason=x`]) {
      expect((await get(path, stranger.apiKey)).status).toBe(404);
    }
  });

  it('keeps for the tenant’s retention when that is longer than the law’s: the sweep destroys nothing before', async () => {
    const settings = (body: object) =>
      compliance.call('/v1/compliance-settings', { method: 'PUT', key: tenant.apiKey, body });
    await settings({ retention_days: 3_650 });
    await settings({ four_eyes: 'all' }); // what is left out stays
    await screened('customer-1');
    const receipt = await erase('customer-1');
    const keptUntil = new Date(receipt.modules[0]?.kept_until as string).getTime();
    const days = (keptUntil - new Date(receipt.erased_at).getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(3_650);
    await compliance.app.get(DutySweep, { strict: false }).run();
    expect((await get(`/v1/erasures/${receipt.receipt_id}/data?reason=audit`)).status).toBe(200);
    expect((await settings({ retention_days: 1_824 })).status).toBe(400);
  });

  it('erases at once where nothing was screened', async () => {
    const receipt = await erase('nobody');
    expect(receipt.modules).toEqual([
      { module: 'compliance', status: 'done', erased: [], kept: [], legal_basis: null, kept_until: null },
    ]);
  });

  it('of everybody, once the tenant is closed: blocked for five years, whether or not the identity module knows them', async () => {
    for (const ref of ['customer-1', 'customer-2']) await screened(ref);
    const sweep = () => compliance.app.get(ClosedTenantsSweep, { strict: false }).run();
    const receipts = () =>
      store.query(
        `select subject_refs, kept, kept_until > now() + interval '1824 days' as for_five_years,
                (select count(*)::int from compliance.screening s where s.erasure_id = r.id) as blocked
           from compliance.erasure_receipt r where tenant_id = $1 order by subject_refs`,
        [tenant.id],
      );
    await store.query(
      `insert into platform.tenant_closing (tenant_id, requested_at, requested_by, requested_by_name, closes_at)
       values ($1, now(), gen_random_uuid(), 'Ana Ruiz', now())`,
      [tenant.id],
    );
    await sweep();
    expect(await receipts()).toEqual([]);
    await store.query('update platform.tenant_closing set closed_at = now() where tenant_id = $1', [tenant.id]);
    for (let nth = 0; nth < 2; nth++) await sweep();
    const kept = { kept: expect.arrayContaining(['screenings']), for_five_years: true, blocked: 1 };
    expect(await receipts()).toEqual([
      { subject_refs: ['customer-1'], ...kept },
      { subject_refs: ['customer-2'], ...kept },
    ]);
  });

  it('lets a person come back with a key of their own', async () => {
    await listed();
    const before = await screened('customer-1');
    await erase('customer-1');
    const again = await screened('customer-1');
    expect((await get(`/v1/screenings/${again.id}`)).status).toBe(200);
    expect(again.case_id).not.toBe(before.case_id);
    expect((await get(`/v1/screenings/${before.id}`)).status).toBe(404);
  });

  it('ends stored answers: a repeated Idempotency-Key is neither answered nor carried out again', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await screened('customer-1', headers);
    expect(await screened('customer-1', headers)).toEqual(first);
    await erase('customer-1');
    const again = await post(
      '/v1/screenings',
      { subject_ref: 'customer-1', subject_type: 'natural', payload: PERSON },
      headers,
    );
    expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.not.stringContaining(CANARY)]);
    const made = await store.query('select 1 from compliance.screening where tenant_id = $1', [tenant.id]);
    expect(made).toHaveLength(1);
  });
});

describe('blocked data', () => {
  it('is read with a reason alone, whole, and every read is logged where nobody changes it', async () => {
    await listed();
    const { id, case_id } = await screened('customer-1');
    const file = await attached(case_id);
    await post(`/v1/cases/${case_id}/comment`, { body: 'La señora llamó.' });
    const { receipt_id } = await erase('customer-1');
    expect((await get(`/v1/cases/${case_id}/attachments`)).status).toBe(404);
    expect((await get(`/v1/cases/${case_id}/attachments/${file}`)).status).toBe(404);
    expect((await get(`/v1/erasures/${receipt_id}/data`)).status).toBe(400);
    const { body } = await get<BlockedDataView>(`/v1/erasures/${receipt_id}/data?reason=UIAF%20118`);
    const audited = await store.query('select type, module, object_id, actor_kind, origin from platform.audit_entry where tenant_id = $1 and object_id = $2 order by seq', [tenant.id, receipt_id]); // prettier-ignore
    const entry = {
      module: 'compliance',
      object_id: receipt_id,
      actor_kind: 'key',
      origin: expect.any(String) as string,
    };
    expect(audited).toEqual([
      { ...entry, type: 'erasure.created' },
      { ...entry, type: 'blocked_data.read' },
    ]);
    expect(body.screenings).toMatchObject([{ id, payload: PERSON }]);
    expect(body.cases).toMatchObject([{ id: case_id, chain_valid: true, ros_draft: null }]);
    expect(body.cases[0]?.timeline.at(-1)?.data).toMatchObject({ body: 'La señora llamó.' });
    const log = () => store.query('select reason from compliance.erasure_access where tenant_id = $1', [tenant.id]);
    expect(await log()).toEqual([{ reason: 'UIAF 118' }]);
    expect(body.cases[0]?.attachments).toMatchObject([{ id: file, name: 'foto.png', size_bytes: PICTURE.length }]);
    const read = (query: string) => get(`/v1/erasures/${receipt_id}/data/attachments/${file}${query}`);
    expect((await read('')).status).toBe(400);
    expect([(await read('?reason=juez')).status, (await log()).length]).toEqual([200, 2]);
    await expect(store.query('delete from compliance.erasure_access')).rejects.toThrow(/never changed/);
  });

  it('is destroyed with its key once the duty is over; the timeline still verifies', async () => {
    await listed();
    const { case_id } = await screened('customer-1');
    await post(`/v1/cases/${case_id}/comment`, { body: 'La señora llamó.' });
    await attached(case_id);
    const { receipt_id } = await erase('customer-1');
    const database = await Database.connect({
      url: store.app('compliance'),
      applicationName: 'test',
      entities: COMPLIANCE_TABLES,
    });
    const personal = await personalData(database);
    const idempotency = new Idempotency('compliance', new SecretBox([Buffer.alloc(32)]));
    const erasure = new Erasure(database, personal, idempotency);
    const sweep = new DutySweep(database, erasure, createLogger({ app: 'test', level: 'error' }));
    await sweep.run();
    expect((await get(`/v1/erasures/${receipt_id}/data?reason=x`)).status).toBe(200);
    await store.query(`update compliance.erasure_receipt set kept_until = now() - interval '1 s' where id = $1`, [
      uuidOf('rcp', receipt_id),
    ]);
    await sweep.run();
    await database.close();
    expect((await get(`/v1/erasures/${receipt_id}/data?reason=x`)).status).toBe(404);
    expect((await get<ErasureView>(`/v1/erasures/${receipt_id}`)).body.modules).toMatchObject([
      { kept: [], legal_basis: null },
    ]);
    const keys = await store.query('select wrapped_key from compliance.subject_key where tenant_id = $1', [tenant.id]);
    expect(keys).toEqual([{ wrapped_key: null }]);
    const files = await store.query(
      'select sealed_name, sealed_bytes, erased_at is null as kept from compliance.case_attachment where tenant_id = $1',
      [tenant.id],
    );
    expect(files).toEqual([{ sealed_name: null, sealed_bytes: null, kept: false }]);
    const events = await store.query<{ data: string; at: Date; hash: string; prev_hash: string; seq: number }>(
      'select seq, type, actor, at, "from", "to", data, prev_hash, hash from compliance.case_event where case_id = $1 order by seq',
      [uuidOf('cas', case_id as string)],
    );
    for (const event of events) {
      const shown = { ...event, at: event.at.toISOString(), data: JSON.parse(event.data) as object };
      expect(eventHash(shown)).toBe(event.hash);
    }
  });
});

describe('the identity module', () => {
  it('is answered over the queue, as often as it asks, for one erasure', async () => {
    await screened('sub-1');
    await screened('external-1');
    const answers: ModuleErasure[] = [];
    const queues = await queuesOfApp(store, 'platform', (own) => ({
      'erasure-result': async ({ sealed }) => void answers.push(own.open(sealed) as ModuleErasure),
    }));
    const id = uuidv7();
    const request = {
      subject_refs: ['sub-1', 'external-1'],
      email: null,
      actor: 'ana',
      relationship_ended_at: '2026-01-31T00:00:00.000Z',
    };
    const ask = (nth: number) =>
      queues.hint(
        'compliance-erasure',
        { v: 1, id, tenant_id: tenant.id, sealed: queues.seal(request) },
        `${id}-${nth}`,
      );
    ask(1);
    await eventually(async () => expect(answers).toHaveLength(1), 20_000);
    ask(2);
    await eventually(async () => expect(answers).toHaveLength(2), 20_000);
    await queues.close();
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({
      module: 'compliance',
      status: 'done',
      kept: expect.arrayContaining(['screenings']),
      kept_until: '2031-01-31T00:00:00.000Z',
    });
    expect((await get(`/v1/erasures/${typeId('rcp', id)}`)).status).toBe(200);
    expect((await get<{ data: unknown[] }>('/v1/screenings')).body.data).toEqual([]);
  }, 60_000);
});
