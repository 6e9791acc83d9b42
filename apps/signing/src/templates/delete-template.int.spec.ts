import { randomUUID } from 'node:crypto';
import { typeId, uuidOf } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minimalPdf, type Problem, type RunningSigning, runningSigning, seal } from '../running-signing.fixture.ts';
import type { TemplateView } from './template-view.ts';

let database: TestDatabase;
let signing: RunningSigning;
/** Another copy of the app, which keeps the templates that it has seen. */
let other: RunningSigning;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  const check = (seen: Parameters<ContractChecker['check']>[0]) => ContractChecker.of('signing').check(seen);
  signing = await runningSigning(database, { check });
  other = await runningSigning(database, { check });
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await other?.close();
  await signing?.close();
  await database?.drop();
});

async function upload(code: string): Promise<TemplateView> {
  const call = { key: tenant.apiKey, headers: { 'content-type': 'application/pdf' }, body: minimalPdf() };
  return (await signing.call<TemplateView>(`/v1/templates?code=${code}`, call)).body;
}

const remove = (id: string, key = tenant.apiKey) =>
  signing.call<TemplateView & Problem>(`/v1/templates/${id}`, { method: 'DELETE', key });

const request = (from: RunningSigning, templateId: string, idempotencyKey: string = randomUUID()) =>
  from.call<Problem & { id: string }>('/v1/signatures', {
    key: tenant.apiKey,
    headers: { 'idempotency-key': idempotencyKey },
    body: { template_id: templateId, subject_ref: 'loan-1' },
  });

/** Lets a copy read a template for a request that it refuses. */
async function remember(from: RunningSigning, templateId: string): Promise<void> {
  const body = { template_id: templateId, subject_ref: 'x', merge_data: { no: 'x' } };
  expect((await from.call('/v1/signatures', { key: tenant.apiKey, body })).status).toBe(400);
}

async function requestsOn(templateId: string): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    'select count(*)::int as n from signing.signature_request where template_id = $1',
    [uuidOf('tpl', templateId)],
  );
  return row?.n ?? 0;
}

describe('DELETE /v1/templates/{id}', () => {
  test('a template that was never used is gone, and its code can be used again', async () => {
    const { id } = await upload('loan');
    expect((await remove(id)).status).toBe(204);
    for (const path of [`/v1/templates/${id}`, `/v1/templates/${id}/document`])
      expect((await signing.call(path, { key: tenant.apiKey })).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await upload('loan')).code).toBe('loan');
  });

  test('uploading and removing are in the audit log, once', async () => {
    const { id, sha256 } = await upload('loan');
    await request(signing, id);
    for (let time = 1; time <= 2; time++) expect((await remove(id)).status).toBe(200);
    const entries = await database.query(
      `select type, object_id, actor_name, data::jsonb as data from platform.audit_entry where tenant_id = $1 order by seq`,
      [tenant.id],
    );
    const values = { code: 'loan', name: 'loan', pdf_sha256: sha256 };
    expect(entries).toEqual([
      { type: 'template.created', object_id: id, actor_name: 'default', data: { after: values } },
      { type: 'template.removed', object_id: id, actor_name: 'default', data: { before: values } },
    ]);
  });

  test('a used one is archived: new requests are 409, its documents remain, its code stays taken', async () => {
    const { id } = await upload('loan');
    const idempotencyKey = randomUUID();
    const first = await request(signing, id, idempotencyKey);
    const sealed = await seal(database, signing.folder, first.body.id);
    const { status, body } = await remove(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, code: 'loan', archived_at: expect.stringMatching(/Z$/) });
    const refused = await request(signing, id);
    expect(refused).toMatchObject({ status: 409, body: { type: expect.stringMatching(/state-conflict$/) } });
    const repeated = await request(signing, id, idempotencyKey);
    expect(repeated).toMatchObject({ status: 202, body: { id: first.body.id } });
    const document = await signing.call(`/v1/signatures/${first.body.id}/document`, { key: tenant.apiKey });
    expect(document.bytes.equals(sealed)).toBe(true);
    expect((await signing.call(`/v1/templates/${id}/document`, { key: tenant.apiKey })).status).toBe(200);
    expect(await upload('loan')).toMatchObject({ status: 409 });
    expect((await remove(id)).body).toEqual(body);
  });

  test('a copy that had the template in memory accepts nothing more, and charges nothing', async () => {
    const [used, unused] = [await upload('used'), await upload('unused')];
    await request(other, used.id);
    await remember(other, unused.id);
    expect((await remove(used.id)).status).toBe(200);
    expect((await remove(unused.id)).status).toBe(204);
    expect((await request(other, used.id)).status).toBe(409);
    const gone = await request(other, unused.id);
    expect(gone).toMatchObject({ status: 404, body: { errors: [{ pointer: '/template_id' }] } });
    const [account] = await database.query('select available from platform.credit_account where tenant_id = $1', [
      tenant.id,
    ]);
    expect(account).toEqual({ available: 960 });
  });

  test('another tenant’s template is an unknown one', async () => {
    const { id } = await upload('loan');
    const stranger = await testTenant(database);
    const foreign = await remove(id, stranger.apiKey);
    const unknown = await remove(typeId('tpl', randomUUID()), stranger.apiKey);
    expect(foreign.status).toBe(404);
    const bare = ({ body: { request_id: _, instance: __, ...rest } }: typeof foreign) => rest;
    expect(bare(foreign)).toEqual(bare(unknown));
    expect((await signing.call(`/v1/templates/${id}`, { key: tenant.apiKey })).status).toBe(200);
  });

  test('whenever it comes, no accepted request is left without its template', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await upload(`race-${round}`);
      await Promise.all([remember(signing, id), remember(other, id)]);
      const [removed, ...requested] = await Promise.all([
        remove(id),
        ...[signing, other].map((from) => request(from, id)),
      ]);
      const accepted = requested.filter(({ status }) => status === 202).length;
      for (const { status } of requested) expect([202, 404, 409]).toContain(status);
      expect(await requestsOn(id)).toBe(accepted);
      expect(removed.status).toBe(accepted > 0 ? 200 : 204);
      const { status } = await signing.call(`/v1/templates/${id}`, { key: tenant.apiKey });
      expect(status).toBe(accepted > 0 ? 200 : 404);
    }
  });

  test('a request that is not committed yet is waited for, and the template is kept for it', async () => {
    const { id } = await upload('slow');
    const uuid = uuidOf('tpl', id) as string;
    const client = new pg.Client(database.adminUrl);
    await client.connect();
    await client.query('begin');
    await client.query(
      `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, credits_debited)
       values ($1, $2, $3, 'late', 40)`,
      [randomUUID(), tenant.id, uuid],
    );
    const removing = remove(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query('commit');
    await client.end();
    expect(await removing).toMatchObject({ status: 200, body: { archived_at: expect.any(String) } });
  });
});
