import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { ObjectMissing, StorageUnavailable, validKey } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { DirectPut, DirectTarget } from './direct-target.ts';
import { presignedPut } from './presigned-put.ts';

// The SDK would tell the operator on stderr, at every start, to use a newer Node than the one that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const CONNECT_MS = 2_000;
const REQUEST_MS = 30_000;
const IDLE_MS = 15_000;

export interface S3StoreOptions {
  bucket: string;
  region?: string;
  /** For S3-compatible servers. */
  endpoint?: string;
  /** The bucket in the path instead of the host name, as most S3-compatible servers want it. */
  forcePathStyle?: boolean;
  /** Of this bucket alone; left out: the SDK's own chain (environment, web identity, instance). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  maxAttempts?: number;
  /** A connection that moves no byte for this long is given up. Default 15 s. */
  idleTimeoutMs?: number;
}

/** Objects in one S3 bucket. Puts are whole by nature of S3; a stream is spooled to disk first, so that it can be retried. */
export class S3Store implements ObjectStore, DirectTarget {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(options: S3StoreOptions) {
    this.bucket = options.bucket;
    this.client = new S3Client({
      region: options.region ?? 'us-east-1',
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      forcePathStyle: options.forcePathStyle ?? false,
      maxAttempts: options.maxAttempts ?? 3,
      // The newer default checksums (CRC32 trailers) break older S3-compatible servers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
        socketTimeout: options.idleTimeoutMs ?? IDLE_MS,
      },
    });
  }

  async put(key: string, bytes: Buffer | Readable, options: { contentType: string }): Promise<void> {
    validKey(key);
    if (Buffer.isBuffer(bytes)) return this.putWhole(key, bytes, bytes.length, options.contentType);
    const spool = path.join(os.tmpdir(), `constancia-${randomBytes(16).toString('hex')}`);
    try {
      await pipeline(bytes, fs.createWriteStream(spool, { flags: 'wx', mode: 0o600 }));
      // Objects are documents of at most some tens of MB: read back whole, a retry needs them again from the start.
      const whole = await fs.promises.readFile(spool);
      await this.putWhole(key, whole, whole.length, options.contentType);
    } finally {
      await fs.promises.rm(spool, { force: true });
    }
  }

  async get(key: string): Promise<Buffer> {
    const { body } = await this.stream(key);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of body) chunks.push(chunk as Buffer);
    } catch (error) {
      throw translated(error, key);
    }
    return Buffer.concat(chunks);
  }

  async stream(key: string): Promise<{ body: Readable; size: number }> {
    validKey(key);
    try {
      const found = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return { body: found.Body as Readable, size: found.ContentLength ?? 0 };
    } catch (error) {
      throw translated(error, key);
    }
  }

  async delete(key: string): Promise<void> {
    validKey(key);
    try {
      await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
    } catch (error) {
      const known = translated(error, key);
      if (!(known instanceof ObjectMissing)) throw known;
    }
  }

  async presignPut(key: string, put: DirectPut): Promise<string> {
    try {
      return await presignedPut(this.client, { bucket: this.bucket, key: validKey(key) }, put);
    } catch (error) {
      throw new StorageUnavailable(nameOf(error), { cause: error });
    }
  }

  async ping(): Promise<void> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      throw new StorageUnavailable(nameOf(error), { cause: error });
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  private async putWhole(key: string, body: Buffer, size: number, contentType: string): Promise<void> {
    try {
      const command = { Bucket: this.bucket, Key: key, Body: body, ContentLength: size, ContentType: contentType };
      await this.client.send(new PutObjectCommand(command));
    } catch (error) {
      throw translated(error, key);
    }
  }
}

function nameOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  return code ?? name ?? 'unknown';
}

/** Only a missing key is a missing object: a missing bucket or a refusal is a fault of the deployment that can be corrected. */
function translated(error: unknown, key: string): Error {
  const name = nameOf(error);
  return name === 'NoSuchKey' || name === 'NotFound'
    ? new ObjectMissing(key)
    : new StorageUnavailable(name, { cause: error });
}
