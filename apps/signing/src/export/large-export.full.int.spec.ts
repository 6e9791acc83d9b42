import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testTemplate,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArchive } from '../../../../libs/tenant-export/src/read-archive.fixture.ts';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';

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

const exported = (key: string) => signing.call<Problem>('/v1/export', { key });

/** A request whose body is read as the test likes. */
async function streamed(key: string, { signal, from = signing }: { signal?: AbortSignal; from?: RunningSigning } = {}) {
  const response = await fetch(`${from.url}/v1/export`, {
    headers: { 'x-api-key': key },
    ...(signal && { signal }),
  });
  expect(response.status).toBe(200);
  return (response.body as ReadableStream<Uint8Array>).getReader();
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
    const reader = await streamed(tenant.apiKey, { signal: client.signal });
    await reader.read();
    const second = await exported(tenant.apiKey);
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '5']);
    expect((await exported((await testTenant(database)).apiKey)).status).toBe(200);
    client.abort();
    await reader.closed.catch(() => undefined);
    await eventually(async () =>
      expect((await audited(tenant.id)).at(-1)).toMatchObject({
        type: 'tenant_export.ended',
        after: { complete: false },
      }),
    );
    expect((await exported(tenant.apiKey)).status).toBe(200);
  }, 180_000);

  it('is cut off by a process that ends, which gives its place up and says so in the audit log', async () => {
    const leaving = await runningSigning(database, { check: () => undefined });
    const reader = await streamed(tenant.apiKey, { from: leaving });
    await reader.read();
    await leaving.close(); // ends only when no connection to the store is in use
    expect((await audited(tenant.id)).slice(-2)).toMatchObject([
      { type: 'tenant_export.started' },
      { type: 'tenant_export.ended', after: { host: 'signing', complete: false } },
    ]);
    const rest = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    };
    await expect(rest()).rejects.toThrow('terminated');
    const slot = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free';
    expect(await database.query(slot, [`tenant-export:signing:${tenant.id}`])).toEqual([{ free: true }]);
  }, 180_000);
});
