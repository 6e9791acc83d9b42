import { createHash } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
} from '../../apps/platform/src/identity/running-identity.fixture.ts';
import { ClosedTenantsSweep } from '../../apps/platform/src/identity/privacy/closed-tenants-sweep.ts';
import { CloseTenants } from '../../apps/platform/src/tenant-closing/close-tenants.ts';
import { type RunningSigning, runningSigning, seal } from '../../apps/signing/src/running-signing.fixture.ts';
import { definitionOf, Signing } from '../../apps/signing/src/sign/sign.fixture.ts';

/** Far more than a sweep, or a process that drops what it remembers, takes. */
const SOON_MS = 60_000;

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let signing: RunningSigning;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
  compliance = await runningCompliance(store);
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
afterAll(async () => {
  await Promise.all([platform?.close(), compliance?.close(), signing?.close()]);
  await store?.drop();
});

interface Answered {
  status: number;
  body: { type?: string };
}
const outcomeOf = ({ status, body }: Answered) =>
  [status, ...(typeof body.type === 'string' ? [body.type.split('/').at(-1)] : [])].join(' ');
const outcomes = async (calls: Record<string, () => Promise<Answered>>) =>
  Object.fromEntries(
    await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, outcomeOf(await call())] as const)),
  );
const all = (calls: object, outcome: string) => Object.fromEntries(Object.keys(calls).map((name) => [name, outcome]));

/** Work of a tenant on all three hosts, and the ways to reach it. */
async function working(tenant: TestTenant) {
  const { token: member } = await testMember(store, tenant.id, 'owner');
  const flows = new FlowCaller(platform, tenant, store);
  await flows.seed();
  const session = await flows.open();
  const asTenant = new Signing(signing, store, tenant.apiKey);
  const sent = await asTenant.envelope(await asTenant.circuit(definitionOf([{ role: 'a' }])));
  const { sign_token: link } = sent.signers[0] as (typeof sent.signers)[number];
  const template = await signing.template(tenant.apiKey);
  const signature = { template_id: template, subject_ref: 'loan-1', merge_data: {} };
  const sealed = await signing.signature(tenant.apiKey, template);
  const key = tenant.apiKey;
  const headers = { authorization: `Bearer ${session.session_token}` };
  return {
    ...{ flows, session, sent, link },
    pdf: await seal(store, signing.folder, sealed),
    credentials: {
      'key, platform': () => platform.call('/v1/billing/balance', { key }),
      'key, compliance': () => compliance.call('/v1/cases', { key }),
      'key, signing': () => signing.call('/v1/templates', { key }),
      'member, platform': () => platform.call('/v1/billing/balance', { member }),
      'member, compliance': () => compliance.call('/v1/cases', { member }),
      'member, signing': () => signing.call('/v1/templates', { member }),
    } as Record<string, () => Promise<Answered>>,
    links: {
      'signer’s link': () => signing.call(`/v1/sign/${link}`),
      'flow session': () => platform.call(`/v1/flows/sessions/${session.id}`, { headers }),
    } as Record<string, () => Promise<Answered>>,
    chargeable: {
      session: () =>
        platform.call('/v1/flows/sessions', {
          ...{ key, body: { document_type: 'CC', document_number: '1098765499', country: 'CO' } },
        }),
      screening: () => compliance.call('/v1/screenings', { key, body: {} }),
      signature: () => signing.call('/v1/signatures', { key, body: signature }),
      envelope: () => signing.call('/v1/envelopes', { key, body: {} }),
    } as Record<string, () => Promise<Answered>>,
  };
}

const beginClosing = (tenantId: string, closesAt = `now() + interval '30 days'`) =>
  store.query(
    `insert into platform.tenant_closing (tenant_id, requested_at, requested_by, requested_by_name, closes_at)
     values ($1, now(), gen_random_uuid(), 'Ana Ruiz', ${closesAt})`,
    [tenantId],
  );
const available = async (tenantId: string) =>
  (
    await store.query<{ available: string }>('select available from platform.credit_account where tenant_id = $1', [
      tenantId,
    ])
  )[0]?.available;

describe('a tenant that is being closed', () => {
  it('reads, and its people go on, on every host; nothing that costs is begun or charged, and monitoring rests', async () => {
    const tenant = await testTenant(store, { credits: 4_000 });
    const { credentials, links, chargeable, flows, session } = await working(tenant);
    await store.query(
      `insert into compliance.rescreen_job (id, tenant_id, list, own, to_version)
       values (gen_random_uuid(), $1, 'internal', true, gen_random_uuid())`,
      [tenant.id],
    );
    await beginClosing(tenant.id);
    const before = await available(tenant.id);
    await eventually(
      async () => expect(await outcomes(chargeable)).toEqual(all(chargeable, '403 tenant-closing')),
      SOON_MS,
    );
    expect(await outcomes({ ...credentials, ...links })).toEqual(all({ ...credentials, ...links }, '200'));
    expect(await available(tenant.id)).toBe(before);
    const advanced = await flows.advance(session, { accepted: true });
    expect(advanced.status).toBe(200); // the session was begun
    const claimed = 'select 1 from compliance.claim_rescreen_v2(30) where tenant_id = $1';
    expect(await store.query(claimed, [tenant.id])).toEqual([]);
  }, 180_000);
});

describe('a closed tenant', () => {
  it('is refused with every credential on every host once it is closed, and its documents can still be verified', async () => {
    const tenant = await testTenant(store, { credits: 4_000 });
    const { credentials, links, session, sent, pdf } = await working(tenant);
    expect(await outcomes({ ...credentials, ...links })).toEqual(all({ ...credentials, ...links }, '200'));
    await beginClosing(tenant.id, `now() - interval '1 minute'`);
    await platform.app.get(CloseTenants, { strict: false }).run();
    const refused = async () => {
      const seen = await outcomes(credentials);
      for (const [name, outcome] of Object.entries(seen)) {
        expect(outcome).toBe(name.startsWith('key') ? '401 invalid-api-key' : '401 unauthorized');
      }
      expect(await outcomes({ link: links['signer’s link'] as () => Promise<Answered> })).toEqual({
        link: '404 not-found',
      });
    };
    await eventually(refused, SOON_MS);
    // The sweeps of the modules read the standing: the envelope is voided, the subject erased, its session ended.
    await eventually(async () => {
      await platform.app.get(ClosedTenantsSweep, { strict: false }).run();
      const [left] = await store.query(
        `select (select status from signing.envelope where id = $1) as envelope,
                (select rejection_reason from identity.flow_session where id = $2) as session,
                (select erased_at is not null from identity.subject where id = $3) as erased,
                (select count(*)::int from platform.credit_hold where tenant_id = $4 and status = 'held') as holds`,
        [uuidOf('env', sent.id), uuidOf('fls', session.id), uuidOf('sub', session.subject_id), tenant.id],
      );
      expect(left).toEqual({ envelope: 'voided', session: 'erased', erased: true, holds: 0 });
    }, SOON_MS);
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    expect((await signing.call<{ status: string }>(`/v1/verify/by-sha256/${sha256}`)).body).toMatchObject({
      status: 'signed',
    });
  }, 180_000);
});
