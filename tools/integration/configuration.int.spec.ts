import { createHash } from 'node:crypto';
import {
  type ConfigurationClients,
  createComplianceClient,
  createPlatformClient,
  createSigningClient,
  exportConfiguration,
  importConfiguration,
} from '@constancia/sdk';
import {
  checkedFetch,
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededValidation } from '../../apps/compliance/src/compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
} from '../../apps/platform/src/identity/running-identity.fixture.ts';
import { publishedCircuit, succeeded } from '../../apps/signing/src/circuits/circuits.fixture.ts';
import { minimalPdf, type RunningSigning, runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';
import { readEntries } from '../../libs/tenant-export/src/read-archive.fixture.ts';

const RECEIVER = 'http://127.0.0.1:9/hooks?token=secret';

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let signing: RunningSigning;

beforeAll(async () => {
  store = await testDatabase();
  [compliance, platform, signing] = await Promise.all([
    runningCompliance(store),
    runningIdentity(store),
    runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) }),
  ]);
});
afterAll(async () => {
  await Promise.all([platform?.close(), compliance?.close(), signing?.close()]);
  await store?.drop();
});

function clientsOf({ apiKey }: TestTenant): ConfigurationClients {
  const fetch = checkedFetch({ platform: platform.url, compliance: compliance.url, signing: signing.url });
  const options = (baseUrl: string) => ({ baseUrl, apiKey, fetch, retries: false as const });
  return {
    platform: createPlatformClient(options(platform.url)),
    compliance: createComplianceClient(options(compliance.url)),
    signing: createSigningClient(options(signing.url)),
  };
}

/** A tenant with something of every kind, and drafts, which are not exported. */
async function sandbox(): Promise<TestTenant> {
  const tenant = await testTenant(store);
  const { apiKey: key } = tenant;
  await new FlowCaller(platform, tenant, store).seed();
  await seededValidation(compliance, key);
  await seededValidation(compliance, key, { code: 'empresas', subjectType: 'legal' });
  await compliance.call('/v1/validations', { key, body: { code: 'borrador' } });
  succeeded(
    await compliance.call('/v1/compliance-settings', {
      method: 'PUT',
      key,
      body: { four_eyes: 'onu', monitoring: false },
    }),
  );
  await signing.template(key, [{ key: 'full_name', page: 1, x: 72, y: 640.5 }], minimalPdf(3));
  const identity_flow = { type: 'onboarding', code: 'default' };
  await publishedCircuit(signing, key, {
    definition: {
      signers: [{ role: 'buyer', auth: ['identity'], order: 1, identity_flow }],
      fields: [{ key: 'signature', page: 1, x: 72, y: 120, type: 'signature', signer: 'buyer' }],
    },
  });
  for (const modules of [['identity'], ['seal']]) {
    succeeded(await platform.call('/v1/webhook-endpoints', { key, body: { url: RECEIVER, modules } }));
  }
  const module = `/tenants/${tenant.id}/webhook-endpoints/compliance`;
  succeeded(await platform.call(module, { method: 'PUT', key, body: { url: RECEIVER, description: 'casos' } }));
  return tenant;
}

const SIGNATURES = /\/manifest\.jws$/;

/** Every file but the signatures: what says who exported, and when. */
async function contentOf(clients: ConfigurationClients): Promise<Record<string, string>> {
  const entries = await readEntries(Buffer.from(await exportConfiguration(clients)));
  const digests = [...entries].filter(([name]) => !SIGNATURES.test(name));
  return Object.fromEntries(digests.map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]));
}

const actionsOf = (imported: Awaited<ReturnType<typeof importConfiguration>>) =>
  Object.values(imported).flatMap((answer) => answer?.changes.map(({ file, action }) => `${action} ${file}`) ?? []);

/** All rows that hold configuration, to see whether anything was written at all. */
const rowsOf = ({ id }: TestTenant) =>
  store.query(
    `select (select jsonb_agg(to_jsonb(f)) from identity.flow f where tenant_id = $1) as flows,
            (select jsonb_agg(to_jsonb(e)) from platform.webhook_endpoint e where tenant_id = $1) as endpoints,
            (select jsonb_agg(to_jsonb(v)) from compliance.validation v where tenant_id = $1) as validations,
            (select jsonb_agg(to_jsonb(r)) from compliance.rule r where tenant_id = $1) as rules,
            (select to_jsonb(s) from compliance.tenant_settings s where tenant_id = $1) as settings,
            (select jsonb_agg(to_jsonb(t)) from signing.template t where tenant_id = $1) as templates,
            (select jsonb_agg(to_jsonb(c)) from signing.circuit c where tenant_id = $1) as circuits,
            (select count(*) from platform.audit_entry a
              where tenant_id = $1 and type <> 'configuration.exported') as audited`,
    [id],
  );

describe('the configuration of a tenant', () => {
  it('is the same after it was imported into an empty tenant, and importing it again changes nothing', async () => {
    const [source, target] = [await sandbox(), await testTenant(store)];
    const [from, into] = [clientsOf(source), clientsOf(target)];
    const archive = await exportConfiguration(from);
    const exported = await contentOf(from);
    const kinds = Object.keys(exported).map((name) => name.split('/').slice(0, 2).join('/'));
    expect([...new Set(kinds)].sort()).toEqual([
      ...['compliance/manifest.json', 'compliance/settings', 'compliance/validations'],
      ...['platform/flows', 'platform/manifest.json', 'platform/webhook-endpoints'],
      ...['signing/circuits', 'signing/manifest.json', 'signing/pdfs', 'signing/templates'],
    ]);
    expect(Object.keys(exported).filter((name) => name.startsWith('platform/webhook-endpoints/'))).toHaveLength(3);
    expect(Object.keys(exported)).not.toContain('compliance/validations/borrador.json');
    for (const secret of ['whsec_', source.apiKey]) expect(Buffer.from(archive).includes(secret)).toBe(false);
    expect(Buffer.from(archive)).not.toEqual(Buffer.from(await exportConfiguration(into)));

    const empty = await rowsOf(target);
    const dry = await importConfiguration(into, archive, { dryRun: true });
    expect(await rowsOf(target)).toEqual(empty);
    const actions = actionsOf(dry);
    expect(actions).toContain('update compliance/settings/compliance.json');
    expect(actions.filter((action) => !action.startsWith('create '))).toHaveLength(1);
    expect(dry.platform?.signed_by).toMatchObject({ key: 'this_deployment', tenant: source.slug });
    expect(dry.signing?.changes.flatMap(({ references }) => references)).toEqual([
      { pointer: '/signers/0/identity_flow', file: 'platform/flows/onboarding.default.json', in_archive: true },
    ]);

    const done = await importConfiguration(into, archive);
    expect(actionsOf(done)).toEqual(actions);
    expect(await contentOf(into)).toEqual(exported);
    const own = done.platform?.changes.filter(({ secret }) => secret !== undefined) ?? [];
    expect(own).toHaveLength(2);
    expect(new Set(own.map(({ secret }) => secret)).size).toBe(2);
    const endpoints = await store.query('select enabled from platform.webhook_endpoint where tenant_id = $1', [
      target.id,
    ]);
    expect(endpoints).toEqual([{ enabled: false }, { enabled: false }, { enabled: false }]);

    const rows = await rowsOf(target);
    const again = await importConfiguration(into, archive);
    expect(actionsOf(again).filter((action) => !action.startsWith('unchanged '))).toEqual([]);
    expect(await rowsOf(target)).toEqual(rows);
    expect(await contentOf(from)).toEqual(exported);
  }, 60_000);
});
