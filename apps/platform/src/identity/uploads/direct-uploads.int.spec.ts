import fs from 'node:fs';
import { createRequire } from 'node:module';
import type net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { uuidOf } from '@constancia/kernel';
import { ObjectMissing, S3Store } from '@constancia/storage';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FlowCaller, type RunningIdentity, runningIdentity, type Session } from '../running-identity.fixture.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { RetentionSweep } from '../privacy/retention-sweep.ts';
import { Assets } from './assets.ts';
import { incomingKey } from './direct-intake.ts';
import { picture } from './pictures.fixture.ts';

// s3rver stores and serves; it checks neither signatures nor lengths: what an address binds is tested by its query.
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

let database: TestDatabase;
let platform: RunningIdentity;
let s3: { close(): Promise<void> };
let bucket: S3Store;
let endpoint: string;
let folder: string;
let tenant: TestTenant;
let flows: FlowCaller;
let session: Session;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-direct-'));
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run(): Promise<net.AddressInfo>;
    close(): Promise<void>;
  };
  const configureBuckets = [{ name: 'pictures' }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  s3 = server;
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  bucket = new S3Store({ bucket: 'pictures', endpoint, forcePathStyle: true, credentials });
  database = await testDatabase();
  platform = await runningIdentity(database, {
    S3_BUCKET: 'pictures',
    S3_ENDPOINT: endpoint,
    S3_FORCE_PATH_STYLE: 'true',
  });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  flows = new FlowCaller(platform, tenant, database);
  await flows.seed();
  session = await flows.open();
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
  await bucket?.close();
  await s3?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function sent(bytes: Buffer, announced = bytes.length): Promise<{ id: string; uri: string; address: string }> {
  const { body } = await platform.call<{ upload_url: string; stored_uri: string; max_bytes: number }>(
    `/v1/kyc/subjects/${session.subject_id}/presign-upload`,
    { key: tenant.apiKey, body: { purpose: 'doc_front', content_type: 'image/jpeg', content_length: announced } },
  );
  expect(body.max_bytes).toBe(announced);
  const put = await fetch(body.upload_url, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: bytes });
  expect(put.status).toBe(200);
  return { id: uuidOf('ast', body.stored_uri.slice(8)) as string, uri: body.stored_uri, address: body.upload_url };
}

const require = (uri: string) =>
  platform.app
    .get(IdentityDatabase)
    .tenant(tenant.id, (tx) =>
      platform.app.get(Assets).require(tx, tenant.id, uuidOf('sub', session.subject_id) as string, uri),
    );
const expire = (id: string) =>
  database.query(`update identity.asset set expires_at = now() - interval '1 s', lease_until = null where id = $1`, [
    id,
  ]);
const statusOf = async (id: string) =>
  (await database.query<{ status: string }>(`select status from identity.asset where id = $1`, [id]))[0]?.status;

describe('a picture that goes to S3 directly', () => {
  it('binds type and length in its address', async () => {
    const { address } = await sent(await picture());
    expect(new URL(address).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
  });

  it('is kept, encrypted, when a step first names it, and what lay at its address goes when that expires', async () => {
    const { id, uri } = await sent(await picture());
    const incoming = incomingKey({ tenant_id: tenant.id, id });
    expect(await require(uri)).toMatchObject({ id, kind: 'doc_front' });
    expect(await require(uri)).toMatchObject({ id });
    const sealed = await bucket.get(`subjects/${tenant.id}/${uuidOf('sub', session.subject_id)}/${id}.v1`);
    expect(sealed.includes(Buffer.from('ffd8ff', 'hex'))).toBe(false);
    await expire(id);
    await platform.app.get(RetentionSweep).run();
    await expect(bucket.get(incoming)).rejects.toThrow(ObjectMissing);
    expect(await statusOf(id)).toBe('stored');
  });

  it('is kept by the sweep when no step names it in time', async () => {
    const { id } = await sent(await picture());
    await expire(id);
    await platform.app.get(RetentionSweep).run();
    expect(await statusOf(id)).toBe('stored');
    await expect(bucket.get(incomingKey({ tenant_id: tenant.id, id }))).rejects.toThrow(ObjectMissing);
  });

  it.each([
    ['is no picture', Buffer.from('<html>'), undefined, 415],
    ['is more than announced', Buffer.alloc(2_000, 0xff), 1_000, 413],
  ])('and %s is refused and leaves nothing behind', async (_what, bytes, announced, status) => {
    const { id, uri } = await sent(bytes, announced);
    await expect(require(uri)).rejects.toMatchObject({ status });
    await expire(id);
    await platform.app.get(RetentionSweep).run();
    expect(await statusOf(id)).toBeUndefined();
    await expect(bucket.get(incomingKey({ tenant_id: tenant.id, id }))).rejects.toThrow(ObjectMissing);
  });
});
