import { createHash, randomBytes, verify } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { SigningKms } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ArchiveKeys, ArchiveKeyUnavailable } from './archive-keys.ts';

let store: TestDatabase;
let database: Database;
let folder: string;
let kms: DevKms;
let signing: SigningKms;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archive-keys-'));
  kms = await startDevKms({ dir: folder });
  store = await testDatabase();
  database = await Database.connect({ url: store.app('compliance'), applicationName: 'archive-keys', poolSize: 2 });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  signing = new SigningKms({ region: 'us-east-1', endpoint: kms.url, credentials, attemptTimeoutMs: 500 });
});
afterEach(() => kms.setMode('ok'));
afterAll(async () => {
  signing?.close();
  await database?.close();
  await store?.drop();
  await kms?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const keysWith = (keyId: string | undefined) =>
  new ArchiveKeys({ schema: 'compliance', database, kms: signing, keyId });
const refusal = (asked: Promise<unknown>) => asked.then(() => undefined, (error: Error) => error); // prettier-ignore

describe('the key that signs archives', () => {
  it('is published before it signs, once, and is found by its fingerprint without it', async () => {
    const key = await keysWith(kms.keyId).archiveKey();
    expect(await keysWith(kms.keyId).archiveKey()).toMatchObject({ fingerprint: key.fingerprint });
    const later = keysWith(undefined);
    expect(await later.list()).toHaveLength(1);
    expect(await later.publicKeyPem(key.fingerprint)).toBe(key.publicKeyPem);
    const file = randomBytes(100);
    const signature = await key.sign(createHash('sha256').update(file).digest());
    expect(verify('sha256', file, await later.publicKeyPem(key.fingerprint), signature)).toBe(true);
  });

  it('is asked for where there is none', async () => {
    const error = await refusal(keysWith(undefined).archiveKey());
    expect(error).toBeInstanceOf(ArchiveKeyUnavailable);
    expect(error?.message).toContain('set ARCHIVE_KEY_ID to an RSA key in KMS');
  });

  it('is named when it is not what it must be, and may be asked again when KMS was unavailable', async () => {
    expect((await refusal(keysWith('alias/nobody').archiveKey()))?.message).toContain('must be an RSA key in KMS');
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const fresh = new SigningKms({ region: 'us-east-1', endpoint: kms.url, credentials, attemptTimeoutMs: 500 });
    const keys = new ArchiveKeys({ schema: 'compliance', database, kms: fresh, keyId: kms.keyId });
    kms.setMode('5xx');
    expect((await refusal(keys.archiveKey()))?.message).toContain('try again');
    kms.setMode('ok');
    expect((await keys.archiveKey()).fingerprint).toMatch(/^[0-9a-f]{64}$/);
    kms.setMode('5xx');
    expect(await refusal((await keys.archiveKey()).sign(randomBytes(32)))).toBeInstanceOf(ArchiveKeyUnavailable);
    fresh.close();
  });

  it('that has signed nothing here is not known', async () => {
    expect((await refusal(keysWith(kms.keyId).publicKeyPem('0'.repeat(64))))?.message).toContain('has no key 0000');
  });

  it('is changed by no process', async () => {
    await keysWith(kms.keyId).archiveKey();
    for (const sql of ['delete from compliance.archive_key', `update compliance.archive_key set public_key_pem = 'x'`])
      await expect(database.query(sql), sql).rejects.toThrow(/permission denied/);
  });
});
