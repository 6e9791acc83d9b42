import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadArchive, readArchive } from '../../../../libs/tenant-export/src/read-archive.fixture.ts';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import { sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { minimalPdf, type Problem, type RunningSigning, runningSigning, seal } from '../running-signing.fixture.ts';

const MANY = 50_000;

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

/** A request whose body is read as the test likes. */
async function streamed(key: string, signal?: AbortSignal) {
  const response = await fetch(`${signing.url}/v1/export`, {
    headers: { 'x-api-key': key },
    ...(signal && { signal }),
  });
  expect(response.status).toBe(200);
  return (response.body as ReadableStream<Uint8Array>).getReader();
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

/** Requests straight in the store, with texts that no compression makes small: more than the buffers of a connection hold. */
const addRequests = (tenantId: string, templateId: string, count: number) =>
  database.query(
    `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, status, credits_debited, merge_data, failure_code, failure_reason)
     select gen_random_uuid(), $1, $2, 'loan-' || n, 'failed', 40, '{}', 'internal', (select string_agg(md5(n || '-' || k), '') from generate_series(1, 12) k)
       from generate_series(1, $3::int) n`,
    [tenantId, templateId, count],
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
    const ended = { host: 'signing', complete: true, rows: keys, files: 8 };
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

describe(`the archive of a tenant with ${MANY} requests`, () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await testTenant(database);
    templateId = await testTemplate(database, tenant.id);
    await addRequests(tenant.id, templateId, MANY);
  });

  it('is of one moment whatever is written meanwhile, in memory that does not grow with it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const reader = await streamed(tenant.apiKey);
    const chunks: Uint8Array[] = [];
    const retained: number[] = [];
    let seen = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (chunks.length === 0) await addRequests(tenant.id, templateId, 500);
      chunks.push(next.value);
      seen += next.value.length;
      if (seen < 1_000_000) continue;
      seen = 0;
      collect();
      retained.push(process.memoryUsage().heapUsed);
    }
    const { manifest, lines } = await readArchive(Buffer.concat(chunks));
    expect(lines('signatures')).toHaveLength(MANY);
    expect(manifest.files.find(({ path }) => path === 'signatures.ndjson')?.bytes).toBeGreaterThan(15_000_000);
    expect(retained.length).toBeGreaterThan(3);
    expect(Math.max(...retained) - (retained[0] as number)).toBeLessThan(8_000_000);
  }, 180_000);

  it('is one at a time, and a client that leaves gives its place up', async () => {
    const client = new AbortController();
    const reader = await streamed(tenant.apiKey, client.signal);
    await reader.read();
    const second = await exported({ key: tenant.apiKey });
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '5']);
    expect((await exported({ key: (await testTenant(database)).apiKey })).status).toBe(200);
    client.abort();
    await reader.closed.catch(() => undefined);
    await eventually(async () =>
      expect((await audited(tenant.id)).at(-1)).toMatchObject({
        type: 'tenant_export.ended',
        after: { complete: false },
      }),
    );
    expect((await exported({ key: tenant.apiKey })).status).toBe(200);
  }, 180_000);
});
