import { typeId } from '@constancia/kernel';
import {
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testMember,
  type TestMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededDraft } from '../../apps/compliance/src/compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let compliance: RunningCompliance;
let signing: RunningSigning;
let tenant: TestTenant;
let owner: TestMember;
let member: TestMember;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
  compliance = await runningCompliance(store);
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
beforeEach(async () => {
  tenant = await testTenant(store);
  owner = await testMember(store, tenant.id, 'owner');
  member = await testMember(store, tenant.id, 'auditor');
});
afterAll(async () => {
  await signing?.close();
  await compliance?.close();
  await platform?.close();
  await store?.drop();
});

type Host = [call: (path: string, call: { member: string }) => Promise<{ status: number }>, path: string];
const hosts = (): Host[] => [
  [platform.call, '/v1/billing/balance'],
  [compliance.call, '/v1/cases'],
  [signing.call, '/v1/templates'],
];
const statuses = () =>
  Promise.all(hosts().map(async ([call, path]) => (await call(path, { member: member.token })).status));

/** How long after this moment, in milliseconds, the last request began that a host still let through. */
async function lastAccepted([call, path]: Host): Promise<number> {
  const start = performance.now();
  let accepted = 0;
  for (;;) {
    const begun = performance.now() - start;
    if (begun > 4_000) return Infinity;
    const { status } = await call(path, { member: member.token });
    if (status === 401) return accepted;
    accepted = begun;
  }
}

describe('a member token', () => {
  it('is accepted by all three hosts', async () => {
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it.each([
    [
      'is suspended',
      () =>
        platform.call(`/v1/members/${typeId('mbr', member.id)}`, {
          method: 'PATCH',
          body: { status: 'suspended' },
          member: owner.token,
        }),
    ],
    [
      'is removed',
      () => platform.call(`/v1/members/${typeId('mbr', member.id)}`, { method: 'DELETE', member: owner.token }),
    ],
    [
      'has the session ended',
      () =>
        platform.call(`/v1/member-sessions/${typeId('mss', member.sessionId)}`, {
          method: 'DELETE',
          member: member.token,
        }),
    ],
  ])('is refused by all three hosts within a second once its member %s', async (_, end) => {
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await end()).status).toBeLessThan(300);
    for (const took of await Promise.all(hosts().map(lastAccepted))) expect(took).toBeLessThan(1_000);
  });

  it('is refused from the moment it expires', async () => {
    await store.query(`update platform.member_token set expires_at = now() + interval '1500 ms' where member_id = $1`, [
      member.id,
    ]);
    expect(await statuses()).toEqual([200, 200, 200]);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(await statuses()).toEqual([401, 401, 401]);
  });
});

describe('four eyes by members', () => {
  it('the second person is another member, also of the same name, and never the same member', async () => {
    const supervisor = await testMember(store, tenant.id, 'supervisor', { name: 'Ana Ruiz' });
    const namesake = await testMember(store, tenant.id, 'supervisor', { name: 'Ana Ruiz' });
    await compliance.call('/v1/compliance-settings', {
      method: 'PUT',
      member: owner.token,
      body: { publish_four_eyes: true },
    });
    const id = await seededDraft(compliance, tenant.apiKey);
    const publish = (token: string) =>
      compliance.call<{ status: string; published_first_by: string }>(`/v1/validations/${id}/publish`, {
        method: 'POST',
        member: token,
      });
    expect((await publish(supervisor.token)).body).toMatchObject({ status: 'draft', published_first_by: 'Ana Ruiz' });
    expect((await publish(supervisor.token)).status).toBe(409);
    expect(
      (
        await compliance.call(`/v1/validations/${id}/publish`, {
          method: 'POST',
          key: tenant.apiKey,
          headers: { 'x-actor': 'Luis' },
        })
      ).status,
    ).toBe(403);
    expect((await publish(namesake.token)).body).toMatchObject({ status: 'published' });
  });

  it('an analyst proposes and does not approve', async () => {
    const analyst = await testMember(store, tenant.id, 'analyst');
    const answer = await compliance.call<{ detail: string }>(`/v1/cases/${typeId('cas')}/confirm`, {
      method: 'POST',
      member: analyst.token,
    });
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('compliance:approve')]);
  });
});
