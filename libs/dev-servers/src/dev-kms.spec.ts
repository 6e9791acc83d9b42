import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
  SignCommand,
  VerifyCommand,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevKms } from './dev-kms.mjs';
import type { DevKms } from './dev-kms.mjs';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';
const text = (value: string) => new TextEncoder().encode(value);

describe('the development KMS', () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'dev-kms-'));
  let server: DevKms;
  let client: KMSClient;

  beforeAll(async () => {
    server = await startDevKms({ dir });
    client = new KMSClient({
      region: 'us-east-1',
      endpoint: server.url,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
    });
  });
  afterAll(async () => {
    client.destroy();
    await server.close();
    fs.rmSync(dir, { recursive: true });
  });

  it('signs a message and its digest alike, and verifies both', async () => {
    const digest = createHash('sha256').update('hello').digest();
    const request = { KeyId: server.keyArn, SigningAlgorithm: ALGORITHM } as const;
    const raw = await client.send(new SignCommand({ ...request, Message: text('hello'), MessageType: 'RAW' }));
    const digested = await client.send(new SignCommand({ ...request, Message: digest, MessageType: 'DIGEST' }));
    expect(Buffer.from(raw.Signature ?? []).equals(Buffer.from(digested.Signature ?? []))).toBe(true);
    const verify = { ...request, Message: digest, MessageType: 'DIGEST', Signature: raw.Signature } as const;
    expect((await client.send(new VerifyCommand(verify))).SignatureValid).toBe(true);
    const wrong = { ...verify, Signature: new Uint8Array(256) };
    await expect(client.send(new VerifyCommand(wrong))).rejects.toMatchObject({ name: 'KMSInvalidSignatureException' });
  });

  it('answers errors as AWS does', async () => {
    const sign = (more: object) =>
      client.send(
        new SignCommand({
          KeyId: server.keyId,
          Message: new Uint8Array(32),
          MessageType: 'DIGEST',
          SigningAlgorithm: ALGORITHM,
          ...more,
        }),
      );
    await expect(sign({ KeyId: 'alias/none' })).rejects.toMatchObject({
      name: 'NotFoundException',
      $metadata: { httpStatusCode: 400 },
    });
    await expect(sign({ Message: new Uint8Array(20) })).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(sign({ SigningAlgorithm: 'RSASSA_PSS_SHA_256' })).rejects.toMatchObject({
      name: 'ValidationException',
    });
    const unknown = await fetch(server.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'TrentService.Nothing' },
      body: '{}',
    });
    expect([unknown.status, await unknown.json()]).toMatchObject([400, { __type: 'UnknownOperationException' }]);
    for (const body of ['{', '[]', 'null', '"x"']) {
      const broken = await fetch(server.url, {
        method: 'POST',
        headers: { 'x-amz-target': 'TrentService.Sign' },
        body,
      });
      expect([broken.status, await broken.json()]).toMatchObject([400, { __type: 'SerializationException' }]);
    }
  });

  it('makes keys, and wraps data with symmetric ones in their context only', async () => {
    const { KeyMetadata: rsa } = await client.send(
      new CreateKeyCommand({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }),
    );
    expect(rsa).toMatchObject({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY', KeyState: 'Enabled' });
    const { KeyMetadata: made } = await client.send(new CreateKeyCommand({}));
    const KeyId = made?.KeyId ?? '';
    expect((await client.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.Arn).toBe(made?.Arn);
    const EncryptionContext = { tenant: 't1' };
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({ KeyId, Plaintext: text('secret'), EncryptionContext }),
    );
    const opened = await client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
    expect(Buffer.from(opened.Plaintext ?? []).toString()).toBe('secret');
    await expect(client.send(new DecryptCommand({ CiphertextBlob }))).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
    const data = await client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }));
    expect(data.Plaintext).toHaveLength(32);
    const again = await client.send(new DecryptCommand({ CiphertextBlob: data.CiphertextBlob }));
    expect(Buffer.from(again.Plaintext ?? []).equals(Buffer.from(data.Plaintext ?? []))).toBe(true);
    await expect(client.send(new EncryptCommand({ KeyId: server.keyId, Plaintext: text('x') }))).rejects.toMatchObject({
      name: 'InvalidKeyUsageException',
    });
  });

  it('keeps its keys over a restart, readable by their owner only', async () => {
    const second = await startDevKms({ dir });
    expect(second.keyArn).toBe(server.keyArn);
    await second.close();
    for (const file of fs.readdirSync(dir)) expect(fs.statSync(path.join(dir, file)).mode & 0o777).toBe(0o600);
  });

  it('refuses the keys of its list by id, ARN and alias, and serves the others', async () => {
    const sign = (KeyId: string) =>
      client.send(
        new SignCommand({ KeyId, Message: new Uint8Array(32), MessageType: 'DIGEST', SigningAlgorithm: ALGORITHM }),
      );
    const { KeyMetadata: other } = await client.send(
      new CreateKeyCommand({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }),
    );
    server.refuseKeys([server.keyId]);
    for (const name of [server.keyId, server.keyArn, 'alias/constancia-signing'])
      await expect(sign(name)).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: `Not authorized to perform: kms:Sign on resource: ${server.keyArn}`,
        $metadata: { httpStatusCode: 400 },
      });
    await expect(client.send(new DescribeKeyCommand({ KeyId: server.keyId }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    expect((await sign(other?.KeyId as string)).KeyId).toBe(other?.Arn);
    const allowed = await fetch(`${server.url}/__control`, {
      method: 'POST',
      body: JSON.stringify({ refused_keys: [] }),
    });
    expect(await allowed.json()).toEqual({ mode: 'ok', refused_keys: [] });
    expect((await sign(server.keyId)).KeyId).toBe(server.keyArn);
  });

  it('changes its mode by /__control', async () => {
    const control = (mode: string) =>
      fetch(`${server.url}/__control`, { method: 'POST', body: JSON.stringify({ mode }) });
    expect((await control('throttle')).status).toBe(200);
    await expect(client.send(new DescribeKeyCommand({ KeyId: server.keyId }))).rejects.toMatchObject({
      name: 'ThrottlingException',
    });
    expect((await control('nonsense')).status).toBe(400);
    expect((await control('ok')).status).toBe(200);
    await client.send(new DescribeKeyCommand({ KeyId: server.keyId }));
  });

  it('refuses any other address than loopback', async () => {
    await expect(startDevKms({ dir, host: '0.0.0.0' })).rejects.toThrow(/loopback/);
  });

  const start = (env: object, port = '0') =>
    spawn(process.execPath, [path.join(import.meta.dirname, 'dev-kms.mjs'), '--dir', dir, '--port', port], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const exit = (child: ReturnType<typeof start>) =>
    new Promise((resolve) => child.once('exit', (code) => resolve(code)));

  it.each(['SERVICE_ENVIRONMENT', 'NODE_ENV'])('refuses to start with %s=production', async (name) => {
    expect(await exit(start({ [name]: 'production' }))).toBe(1);
  });

  it('runs as a process that says in one line where it is, and ends on SIGTERM; a taken port is one clear sentence', async () => {
    const child = start({});
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const ready = JSON.parse(line) as { url: string; key_arn: string; port: number };
    expect(ready.key_arn).toBe(server.keyArn);
    expect(await (await fetch(`${ready.url}/__health`)).json()).toMatchObject({ status: 'ok', mode: 'ok', calls: 0 });
    const second = start({}, String(ready.port));
    const complaint = new Promise<string>((resolve) =>
      second.stderr.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    expect(await exit(second)).toBe(1);
    expect(await complaint).toMatch(/^Port \d+ is taken/);
    child.kill('SIGTERM');
    expect(await exit(child)).toBe(0);
  });
});
