import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { CachedDataKeys, DataKeys, KmsUnavailable, WrappedKeyRefused } from './index.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const CONTEXT = { tenant: 'a', subject: 'b' };

let folder: string;
let server: DevKms;
let keys: DataKeys;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kms-'));
  server = await startDevKms({ dir: folder });
  const options = { region: 'us-east-1', endpoint: server.url, credentials, attemptTimeoutMs: 300 };
  keys = new DataKeys('alias/constancia-data', options);
});
afterEach(() => server.setMode('ok'));
afterAll(async () => {
  keys.close();
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

describe('a data key', () => {
  it('is 32 bytes, another each time, and comes back from its wrapping', async () => {
    const [one, two] = [await keys.generate(CONTEXT), await keys.generate(CONTEXT)];
    expect(one.plaintext).toHaveLength(32);
    expect(one.plaintext.equals(two.plaintext)).toBe(false);
    expect((await keys.unwrap(one.wrapped, CONTEXT)).equals(one.plaintext)).toBe(true);
  });

  it('does not come back for another context, nor altered', async () => {
    const { wrapped } = await keys.generate(CONTEXT);
    await expect(keys.unwrap(wrapped, { ...CONTEXT, subject: 'c' })).rejects.toThrow(WrappedKeyRefused);
    const altered = Buffer.from(wrapped);
    altered[altered.length - 1] = (altered.at(-1) as number) ^ 1;
    await expect(keys.unwrap(altered, CONTEXT)).rejects.toThrow(WrappedKeyRefused);
  });

  it('is reported as unavailable while KMS fails, after as many attempts as a signature gets', async () => {
    const { wrapped } = await keys.generate(CONTEXT);
    server.setMode('5xx');
    const before = keys.requests;
    await expect(keys.unwrap(wrapped, CONTEXT)).rejects.toThrow(KmsUnavailable);
    expect(keys.requests - before).toBe(3);
    server.setMode('gone');
    await expect(keys.generate(CONTEXT)).rejects.toMatchObject({ reason: 'key-unusable', retryable: false });
  });
});

describe('several keys', () => {
  let both: DataKeys;

  beforeAll(async () => {
    const client = new KMSClient({ region: 'us-east-1', endpoint: server.url, credentials });
    const made = await client.send(new CreateKeyCommand({ KeySpec: 'SYMMETRIC_DEFAULT', KeyUsage: 'ENCRYPT_DECRYPT' }));
    client.destroy();
    const newest = made.KeyMetadata?.Arn as string;
    both = new DataKeys(`${newest},alias/constancia-data`, { region: 'us-east-1', endpoint: server.url, credentials });
  });
  afterAll(() => both.close());

  it('unwrap what each of them wrapped, the first at the price of one request', async () => {
    const [former, own] = [await keys.generate(CONTEXT), await both.generate(CONTEXT)];
    const before = both.requests;
    expect((await both.unwrap(own.wrapped, CONTEXT)).equals(own.plaintext)).toBe(true);
    expect(both.requests - before).toBe(1);
    expect((await both.unwrap(former.wrapped, CONTEXT)).equals(former.plaintext)).toBe(true);
    expect(both.requests - before).toBe(3);
  });

  it('wrap with the first', async () => {
    const { wrapped } = await both.generate(CONTEXT);
    await expect(keys.unwrap(wrapped, CONTEXT)).rejects.toThrow(WrappedKeyRefused);
  });

  it('unwrap nothing for another context, and report KMS as unavailable while it fails', async () => {
    const { wrapped } = await keys.generate(CONTEXT);
    await expect(both.unwrap(wrapped, { ...CONTEXT, subject: 'c' })).rejects.toThrow(WrappedKeyRefused);
    server.setMode('5xx');
    await expect(both.unwrap(wrapped, CONTEXT)).rejects.toThrow(KmsUnavailable);
  });
});

describe('cached data keys', () => {
  it('ask KMS once for many at once, and again once the owner is forgotten', async () => {
    const { wrapped, plaintext } = await keys.generate(CONTEXT);
    const cached = new CachedDataKeys(keys);
    const before = keys.requests;
    const all = await Promise.all(Array.from({ length: 20 }, () => cached.unwrap('b', wrapped, CONTEXT)));
    expect(all.every((key) => key.equals(plaintext))).toBe(true);
    expect(keys.requests - before).toBe(1);
    cached.forget('another');
    await cached.unwrap('b', wrapped, CONTEXT);
    expect(keys.requests - before).toBe(1);
    cached.forget('b');
    await cached.unwrap('b', wrapped, CONTEXT);
    expect(keys.requests - before).toBe(2);
  });

  it('do not keep a failure', async () => {
    const { wrapped, plaintext } = await keys.generate(CONTEXT);
    const cached = new CachedDataKeys(keys);
    server.setMode('5xx');
    await expect(cached.unwrap('b', wrapped, CONTEXT)).rejects.toThrow(KmsUnavailable);
    server.setMode('ok');
    expect((await cached.unwrap('b', wrapped, CONTEXT)).equals(plaintext)).toBe(true);
  });
});
