import { createHash, createVerify, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDevKms } from '@constancia/dev-servers/dev-kms';
import type { DevKms, KmsMode } from '@constancia/dev-servers/dev-kms';
import { SigningKms, KmsUnavailable } from './index.ts';
import type { KmsOptions } from './index.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const digest = createHash('sha256').update('document').digest();

describe('signing with KMS', () => {
  let dir: string;
  let server: DevKms;
  const opened: SigningKms[] = [];

  beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'kms-'));
    server = await startDevKms({ dir });
  });
  afterEach(() => {
    server.setMode('ok');
    for (const kms of opened.splice(0)) kms.close();
  });
  afterAll(async () => {
    await server.close();
    fs.rmSync(dir, { recursive: true });
  });

  function kms(options: Partial<KmsOptions> = {}): SigningKms {
    const made = new SigningKms({
      region: 'us-east-1',
      endpoint: server.url,
      credentials,
      deadlineMs: 3_000,
      ...options,
    });
    opened.push(made);
    return made;
  }

  async function failure(work: Promise<unknown>): Promise<KmsUnavailable> {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(KmsUnavailable);
    return error as KmsUnavailable;
  }

  it('makes a signature that OpenSSL verifies over the document, and that is verified here without a call', async () => {
    const signer = kms();
    const signature = await signer.sign(server.keyId, digest);
    const key = await signer.publicKey(server.keyId);
    expect(createVerify('sha256').update('document').verify(key.pem, signature)).toBe(true);
    const calls = server.calls();
    expect(SigningKms.verify(key.spkiDer, digest, signature)).toBe(true);
    expect(SigningKms.verify(key.spkiDer, Buffer.from('document'), signature)).toBe(true);
    expect(server.calls()).toBe(calls);
  });

  it('does not verify other bytes, another key, a cut signature or none', async () => {
    const signer = kms();
    const signature = await signer.sign(server.keyId, digest);
    const { spkiDer } = await signer.publicKey(server.keyId);
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(SigningKms.verify(spkiDer, randomBytes(32), signature)).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, sign('sha256', Buffer.from('document'), other.privateKey))).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, sign('sha512', Buffer.from('document'), other.privateKey))).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, signature.subarray(1))).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, Buffer.concat([Buffer.alloc(1), signature]))).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, Buffer.alloc(0))).toBe(false);
    expect(SigningKms.verify(spkiDer, digest, Buffer.alloc(256, 0xff))).toBe(false);
  });

  it('does not verify a signature whose leading zero was cut off', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spkiDer = publicKey.export({ type: 'spki', format: 'der' });
    for (let n = 0; ; n++) {
      const bytes = Buffer.from(`document ${n}`);
      const signature = sign('sha256', bytes, privateKey);
      if (signature[0] !== 0) continue; // one in 256 begins with a zero
      expect(SigningKms.verify(spkiDer, bytes, signature)).toBe(true);
      expect(SigningKms.verify(spkiDer, bytes, signature.subarray(1))).toBe(false);
      break;
    }
  });

  it('finds the key by id, ARN and alias, and asks for its public half once', async () => {
    const signer = kms();
    for (const keyId of [server.keyId, server.keyArn, 'alias/constancia-signing']) {
      expect(await signer.sign(keyId, digest)).toHaveLength(256);
    }
    const before = server.calls();
    const [key, same] = await Promise.all([signer.publicKey(server.keyArn), signer.publicKey(server.keyArn)]);
    await signer.publicKey(server.keyArn);
    expect(server.calls() - before).toBe(1);
    expect(key).toEqual(same);
    expect(key.keyArn).toBe(server.keyArn);
    expect(key.fingerprint).toBe(createHash('sha256').update(key.spkiDer).digest('hex'));
  });

  it.each<[KmsMode, string, boolean]>([
    ['5xx', 'server-error', true],
    ['throttle', 'throttled', true],
    ['hang', 'timeout', true],
    ['gone', 'key-unusable', false],
  ])('throws KmsUnavailable when KMS is in mode %s: %s, retryable %s', async (mode, reason, retryable) => {
    server.setMode(mode);
    const error = await failure(kms({ deadlineMs: 1_500, maxAttempts: 2 }).sign(server.keyId, digest));
    expect(error.reason).toBe(reason);
    expect(error.retryable).toBe(retryable);
  });

  it('throws KmsUnavailable, retryable, when nobody listens', async () => {
    const error = await failure(kms({ endpoint: 'http://127.0.0.1:1' }).sign(server.keyId, digest));
    expect([error.reason, error.retryable]).toEqual(['unreachable', true]);
  });

  it('throws KmsUnavailable, not retryable, for a key that is not there', async () => {
    const error = await failure(kms().publicKey('alias/nothing'));
    expect([error.reason, error.retryable]).toEqual(['key-unusable', false]);
  });

  it('forgets a failed public key, and gets it later', async () => {
    const signer = kms({ maxAttempts: 1 });
    server.setMode('5xx');
    await failure(signer.publicKey(server.keyId));
    server.setMode('ok');
    expect((await signer.publicKey(server.keyId)).keyArn).toBe(server.keyArn);
  });

  it('gets over a short throttling by its retries', async () => {
    server.setMode('throttle');
    setTimeout(() => server.setMode('ok'), 150);
    expect(await kms({ maxAttempts: 6 }).sign(server.keyId, digest)).toHaveLength(256);
  });

  it('keeps within its own limit of calls a second', async () => {
    const signer = kms({ maxPerSecond: 50, deadlineMs: 10_000 });
    await signer.sign(server.keyId, digest);
    const started = performance.now();
    await Promise.all(Array.from({ length: 60 }, () => signer.sign(server.keyId, digest)));
    const seconds = (performance.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(1.0);
    expect(seconds).toBeLessThan(3);
  });

  it('passes a KMS of 50 calls a second without a failure when it asks for 40', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kms-'));
    const strict = await startDevKms({ dir: folder, callsPerSecond: 50 });
    const signer = kms({ endpoint: strict.url, maxPerSecond: 40, deadlineMs: 10_000 });
    const signatures = await Promise.all(Array.from({ length: 80 }, () => signer.sign(strict.keyId, digest)));
    expect(signatures).toHaveLength(80);
    expect(strict.calls()).toBe(80);
    await strict.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('refuses at once, retryable, when its own limit leaves no time', async () => {
    const signer = kms({ maxPerSecond: 1, deadlineMs: 1_200 });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => signer.sign(server.keyId, digest)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { reason } of refused) expect((reason as KmsUnavailable).reason).toBe('throttled');
  });

  it('takes only digests of 32 bytes', async () => {
    await expect(kms().sign(server.keyId, Buffer.alloc(20))).rejects.toThrow('32 bytes');
  });
});
