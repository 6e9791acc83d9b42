import { spawnSync } from 'node:child_process';
import { uuidOf } from '@constancia/kernel';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTemplate,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { generateApiKey } from '@constancia/auth';
import { testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKeyInfrastructure } from '../../../../libs/pdf-sealing/src/evidence/public-key-infrastructure.fixture.ts';
import { type ReadArchive, readArchive } from '../../../../libs/tenant-export/src/read-archive.fixture.ts';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import { sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { minimalPdf, type Problem, type RunningSigning, runningSigning, seal } from '../running-signing.fixture.ts';
import type { SigningSettingsView } from '../signing-settings/signing-settings-view.ts';
import { settingsFor, tenantKmsKey } from '../signing-settings/tenant-key.fixture.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;

let database: TestDatabase;
let signing: RunningSigning;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

const exported = (caller: { key?: string; member?: string }) => signing.call<Problem>('/v1/export', caller);

async function archiveOf({ apiKey }: TestTenant): Promise<ReadArchive> {
  const answer = await exported({ key: apiKey });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return readArchive(answer.bytes);
}

async function listed(key: string, path: string): Promise<unknown[]> {
  return (await signing.call<{ data: unknown[] }>(path, { key })).body.data;
}

const audited = (tenantId: string) =>
  database.query<{ type: string; actor_name: string; after: Record<string, unknown> }>(
    `select type, actor_name, data::jsonb -> 'after' as after from platform.audit_entry
      where tenant_id = $1 and type like 'tenant_export.%' order by seq`,
    [tenantId],
  );

describe('the archive of signing', () => {
  it('holds what the lists show and the PDFs, nothing secret, nothing erased, and nothing of another tenant', async () => {
    const [tenant, stranger] = [await testTenant(database), await testTenant(database)];
    const key = tenant.apiKey;
    const templateId = await signing.template(key, [], minimalPdf(3));
    const circuitId = await publishedCircuit(signing, key);
    const signatureId = await signing.signature(key, templateId);
    const pdf = await seal(database, signing.folder, signatureId);
    const { id, signers } = await sentEnvelope(signing, key, circuitId, { subject: 'Compraventa 301' });
    await sentEnvelope(signing, key, circuitId, {
      signers: [
        { role: 'buyer', email: 'erased@canary.example', name: 'Erased Canary' },
        { role: 'seller', email: 'luis@example.org' },
      ],
    });
    const body = { subject_ref: 'nobody', email: 'erased@canary.example' };
    expect((await signing.call('/v1/erasures', { key, body })).status).toBe(200);
    const strangersTemplate = await signing.template(stranger.apiKey);
    const strangersCircuit = await publishedCircuit(signing, stranger.apiKey);
    await sentEnvelope(signing, stranger.apiKey, strangersCircuit, { subject: 'Stranger Canary' });

    const archive = await archiveOf(tenant);
    expect(archive.manifest).toMatchObject({
      format_version: 1,
      host: 'signing',
      tenant: { id: tenant.id, slug: tenant.slug, environment: 'sandbox' },
      exported_by: { kind: 'key' },
      snapshots: [{ module: 'signing' }],
      missing: [],
    });
    for (const name of ['templates', 'circuits', 'signatures', 'envelopes']) {
      expect(archive.lines(name), name).toEqual(await listed(key, `/v1/${name}?limit=100`));
    }
    expect(archive.lines('signing-keys')).toEqual(await listed(key, '/v1/signing-keys'));
    const trail = archive.lines('envelope-trails').filter(({ envelope_id }) => envelope_id === id);
    const events = (await listed(key, `/v1/envelopes/${id}/audit`)) as object[];
    expect(trail).toEqual(events.map((event) => ({ envelope_id: id, ...event })));
    const { headers } = await signing.call(`/v1/signatures/${signatureId}/document`, { key });
    expect(archive.lines('document-proofs')).toEqual([
      expect.objectContaining({ id: signatureId, signature: headers.get('x-signature') }),
    ]);
    expect(archive.lines('erasures')).toHaveLength(1);
    expect(archive.files.get(`documents/${signatureId}.pdf`)).toEqual(pdf);
    expect(archive.files.get(`templates/${templateId}.pdf`)).toEqual(minimalPdf(3));
    expect(archive.files.has(`circuits/${circuitId}.pdf`)).toBe(true);

    const text = [...archive.files.values()].map(String).join('\n');
    const secrets = [key, ...signers.map(({ sign_token }) => sign_token), 'sealed_', 'token_hash'];
    for (const absent of [...secrets, 'erased@canary.example', 'Erased Canary', 'Stranger Canary', strangersTemplate]) {
      expect(text).not.toContain(absent);
    }
    expect(text).toContain('Compraventa 301');
  });

  it.skipIf(!opensslThere)('holds the key that the tenant set with its certificates, and nothing secret', async () => {
    const [tenant, stranger] = [await testTenant(database), await testTenant(database)];
    expect((await archiveOf(tenant)).lines('signing-settings')).toEqual([]);
    const [kms, pki] = [await testKms(), await publicKeyInfrastructure()];
    for (const { id, apiKey } of [tenant, stranger]) {
      const body = settingsFor(pki, await tenantKmsKey(kms.url, id));
      expect((await signing.call('/v1/signing-settings', { method: 'PUT', key: apiKey, body })).status).toBe(200);
    }
    const archive = await archiveOf(tenant);
    const shown = (await signing.call<SigningSettingsView>('/v1/signing-settings', { key: tenant.apiKey })).body;
    expect(archive.lines('signing-settings')).toEqual([shown]);
    expect(shown).toMatchObject({ kms_key: `alias/constancia-tenant-${tenant.id}`, problem: null });
    expect([...archive.files.values()].map(String).join('\n')).not.toContain('PRIVATE KEY');
    await pki.close();
  });

  it('names a file that was erased since as missing, and is whole', async () => {
    const tenant = await testTenant(database);
    const id = await testTemplate(database, tenant.id); // its object does not exist
    const { manifest } = await archiveOf(tenant);
    expect(manifest.missing).toHaveLength(1);
    expect(uuidOf('tpl', manifest.missing[0]?.slice('templates/'.length, -'.pdf'.length) ?? '')).toBe(id);
  });

  it('is for owners and for keys with the scope, and HEAD starts nothing', async () => {
    const tenant = await testTenant(database);
    const poor = generateApiKey('sandbox');
    await database.query(
      `insert into platform.api_key (id, tenant_id, key_hash, prefix, status, name, scopes)
       values (gen_random_uuid(), $1, $2, $3, 'active', 'poor', '{signing:write}')`,
      [tenant.id, poor.hash, poor.prefix],
    );
    const refused = await exported({ key: poor.plaintext });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('the scope signing:read')]);
    for (const role of ['admin', 'auditor', 'sender'] as const) {
      const { status, body } = await exported({ member: (await testMember(database, tenant.id, role)).token });
      expect([status, body.detail], role).toEqual([403, expect.stringContaining('with the role owner')]);
    }
    expect((await signing.call('/v1/export', { method: 'HEAD', key: tenant.apiKey })).status).toBe(200);
    expect(await audited(tenant.id)).toEqual([]);
    const keys = (await listed(tenant.apiKey, '/v1/signing-keys')).length; // of the service, the same for every tenant
    const owner = await testMember(database, tenant.id, 'owner', { name: 'Olga' });
    expect((await exported({ member: owner.token })).status).toBe(200);
    const ended = { host: 'signing', complete: true, rows: keys, files: 14 };
    await eventually(async () =>
      expect(await audited(tenant.id)).toMatchObject([
        { type: 'tenant_export.started', actor_name: 'Olga', after: { host: 'signing' } },
        { type: 'tenant_export.ended', actor_name: 'Olga', after: ended },
      ]),
    );
  });

  it('is ten within 24 hours, then 429 until the first of them is a day old', async () => {
    const tenant = await testTenant(database);
    for (let nth = 0; nth < 10; nth++) expect((await exported({ key: tenant.apiKey })).status).toBe(200);
    const refused = await exported({ key: tenant.apiKey });
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
      429,
      '"exports-per-tenant";q=10;w=86400',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect((await exported({ key: (await testTenant(database)).apiKey })).status).toBe(200);
  });
});
