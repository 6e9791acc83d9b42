import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '@constancia/testing/calls';
import { runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

interface Flow {
  id: string;
  version: number;
  status: string;
  code: string;
  type: string;
  steps: { step_type: string; config: Record<string, unknown> }[];
}

async function seeded(): Promise<{ key: string; flow: Flow }> {
  const { apiKey: key } = await testTenant(store);
  const { body, status } = await platform.call<Flow>('/v1/flows/seed-default', { method: 'POST', key });
  expect(status).toBe(201);
  return { key, flow: body };
}

const post = (path: string, key: string, body?: object) =>
  platform.call<Flow & Problem & Record<string, unknown>>(path, { method: 'POST', key, body });

describe('the default flow', () => {
  it('is made and published once; after that its id is returned', async () => {
    const { key, flow } = await seeded();
    expect(flow).toMatchObject({ code: 'default', type: 'onboarding', status: 'published', version: 1 });
    expect(flow.steps.map(({ step_type }) => step_type)).toEqual([
      'consent',
      'document_upload',
      'face_match',
      'sarlaft',
    ]);
    const entries = await store.query(
      `select type, module, object_id, data::jsonb -> 'after' as after from platform.audit_entry where object_id = $1`,
      [flow.id],
    );
    const after = { flow_type: 'onboarding', code: 'default', version: 1, steps: 4 };
    expect(entries).toEqual([{ type: 'flow.published', module: 'identity', object_id: flow.id, after }]);
    const again = await post('/v1/flows/seed-default', key);
    expect(again).toMatchObject({ status: 409, body: { flow_id: flow.id } });
    expect(again.body.type).toMatch(/state-conflict$/);
  });

  it('is made by one of many that ask at once', async () => {
    const { apiKey: key } = await testTenant(store);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/flows/seed-default', key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});

describe('a flow', () => {
  it('is changed by cloning it, editing the draft and publishing; the version before is deprecated', async () => {
    const { key, flow } = await seeded();
    const draft = await post(`/v1/flows/${flow.id}/clone`, key);
    expect(draft).toMatchObject({ status: 201, body: { status: 'draft', version: 2 } });
    const steps = [{ step_type: 'consent' }, { step_type: 'document_upload', config: { max_attempts: 1 } }];
    const path = `/v1/flows/${draft.body.id}`;
    const put = await platform.call<Flow>(`${path}/steps`, { method: 'PUT', key, body: { steps } });
    expect(put.status).toBe(200);
    expect(put.body.steps[1]?.config).toMatchObject({ max_attempts: 1 });
    expect(await post(`${path}/publish`, key)).toMatchObject({ status: 200, body: { status: 'published' } });
    const list = await platform.call<{ data: Flow[] }>('/v1/flows?code=default', { key });
    expect(list.body.data.map(({ version, status }) => [version, status])).toEqual([
      [2, 'published'],
      [1, 'deprecated'],
    ]);
    const page = await platform.call<{ data: Flow[]; next_cursor: string }>('/v1/flows?limit=1', { key });
    const next = await platform.call<{ data: Flow[] }>(`/v1/flows?limit=1&cursor=${page.body.next_cursor}`, { key });
    expect([page.body.data[0]?.version, next.body.data[0]?.version]).toEqual([2, 1]);
  });

  it('that is published takes neither steps nor a second publishing', async () => {
    const { key, flow } = await seeded();
    const body = { steps: [{ step_type: 'consent' }] };
    const put = await platform.call(`/v1/flows/${flow.id}/steps`, { method: 'PUT', key, body });
    expect(put).toMatchObject({ status: 409, body: { status_of_flow: 'published', allowed_actions: ['clone'] } });
    expect((await post(`/v1/flows/${flow.id}/publish`, key)).status).toBe(409);
  });

  it('that two people change takes the steps of one; the other gets 409 and reads again', async () => {
    const { key, flow } = await seeded();
    const path = `/v1/flows/${(await post(`/v1/flows/${flow.id}/clone`, key)).body.id}`;
    const read = await platform.call<Flow>(path, { key });
    const etag = read.headers.get('etag') ?? '';
    const put = (purpose: string, tag = etag) =>
      platform.call<Flow & Problem>(`${path}/steps`, {
        method: 'PUT',
        key,
        body: { steps: [{ step_type: 'consent', config: { purposes: [purpose] } }] },
        headers: { 'If-Match': tag },
      });
    const answers = await Promise.all([put('one'), put('other')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.type).toMatch(/state-conflict$/);
    const won = answers.find(({ status }) => status === 200);
    const now = await platform.call<Flow>(path, { key });
    expect([now.body.steps, now.headers.get('etag')]).toEqual([won?.body.steps, won?.headers.get('etag')]);
    const purpose = won === answers[0] ? 'one' : 'other';
    expect((await put(purpose)).status).toBe(200); // its answer was lost
    expect((await put('third', now.headers.get('etag') ?? '')).status).toBe(200);
    expect((await put('fourth', '*')).status).toBe(200);
  });

  it('has one published version, however many are published at once', async () => {
    const { key, flow } = await seeded();
    const drafts = await Promise.all(Array.from({ length: 5 }, () => post(`/v1/flows/${flow.id}/clone`, key)));
    expect(drafts.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6]);
    await Promise.all(drafts.map(({ body }) => post(`/v1/flows/${body.id}/publish`, key)));
    const list = await platform.call<{ data: Flow[] }>('/v1/flows?status=published', { key });
    expect(list.body.data).toHaveLength(1);
  });

  it('is answered with every fault of its steps at once', async () => {
    const { key, flow } = await seeded();
    const draft = await post(`/v1/flows/${flow.id}/clone`, key);
    const steps = [{ step_type: 'face_match', config: { liveness_mode: 'none' } }, { step_type: 'x' }, 7];
    const put = await platform.call<Problem>(`/v1/flows/${draft.body.id}/steps`, {
      method: 'PUT',
      key,
      body: { steps },
    });
    expect(put.status).toBe(400);
    expect(put.body.errors?.map(({ pointer }) => pointer)).toEqual([
      '/steps/0/config/liveness_mode',
      '/steps/1/step_type',
      '/steps/2',
      '/steps/0',
    ]);
  });

  it('of another tenant is not there', async () => {
    const { flow } = await seeded();
    const { key } = await seeded();
    expect((await platform.call(`/v1/flows/${flow.id}`, { key })).status).toBe(404);
    expect((await platform.call('/v1/flows/flw_nonsense', { key })).status).toBe(404);
    expect((await post(`/v1/flows/${flow.id}/clone`, key)).status).toBe(404);
  });
});
