import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowCaller, runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { SANDBOX_TRIGGERS } from './sandbox-triggers.ts';

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

async function triggered(
  name: string,
): Promise<{ flows: FlowCaller; session: Awaited<ReturnType<FlowCaller['open']>> }> {
  const flows = new FlowCaller(platform, await testTenant(store), store);
  await flows.seed();
  const number = SANDBOX_TRIGGERS.find((trigger) => trigger.name === name)?.documentNumber;
  return { flows, session: await flows.open({ document_number: number, external_ref: `ref-${name}` }) };
}

describe('a sandbox trigger', () => {
  it('approve walks the default flow to its end', async () => {
    const { flows, session } = await triggered('approve');
    expect(session).toMatchObject({ status: 'in_progress', current_step: 'consent', last_outcome: null });
    expect(await flows.walk(session)).toEqual([
      'consent 200 advance',
      'document_upload 200 advance',
      'face_match 200 advance',
      'sarlaft 200 advance',
    ]);
    const done = await flows.show(session);
    expect(done).toMatchObject({ status: 'completed', current_step: null, last_outcome: 'advance' });
    expect(done.completed_at).toMatch(/Z$/);
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
  });

  it.each([
    ['review', 'manual_review', undefined, 920],
    ['reject', 'failed', 'other_person', 920],
    ['retry', 'completed', undefined, 920],
    ['engine_error', 'completed', undefined, 920],
    ['attempts_used_up', 'failed', 'too_many_attempts', 1000],
    ['sarlaft_reject', 'failed', 'sarlaft', 920],
    ['doubtful_name', 'manual_review', undefined, 920],
  ])('%s ends as documented', async (name, status, rejection, available) => {
    const { flows, session } = await triggered(name);
    const seen = await flows.walk(session);
    const done = await flows.show(session);
    expect(done.status, seen.join('; ')).toBe(status);
    expect(done.rejection_reason).toBe(rejection);
    expect(await flows.balance()).toEqual({ available, held: 0 });
  });

  it('answers each attempt as its script says', async () => {
    const { flows, session } = await triggered('retry');
    expect(await flows.walk(session)).toEqual([
      'consent 200 advance',
      'document_upload 422 blurred',
      'document_upload 200 advance',
      'face_match 422 no_face',
      'face_match 200 advance',
      'sarlaft 200 advance',
    ]);
  });
});
