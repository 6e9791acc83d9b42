import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { DirectPut } from './direct-target.ts';

/** A request as the SDK builds it. */
interface BuiltRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
}

/** The signer of the client, as far as it is used here (Signature Version 4 in the query). */
interface Presigner {
  presign(
    request: BuiltRequest,
    options: {
      expiresIn: number;
      signableHeaders: Set<string>;
      unhoistableHeaders: Set<string>;
      unsignableHeaders: Set<string>;
    },
  ): Promise<BuiltRequest>;
}

const BOUND = new Set(['host', 'content-type', 'content-length']);

/**
 * The address of a PUT to S3 that binds method, key, Content-Type and Content-Length: each is a signed header, so S3 refuses (403)
 * another type or another number of bytes. The request is built by the SDK, as far as its address goes, and never sent.
 */
export async function presignedPut(
  client: S3Client,
  { bucket, key }: { bucket: string; key: string },
  { contentType, contentLength, expiresInSeconds }: DirectPut,
): Promise<string> {
  const built = await builtRequest(client, { bucket, key });
  const headers = {
    host: built.headers.host ?? hostOf(built),
    'content-type': contentType,
    'content-length': String(contentLength),
  };
  const signer = (await client.config.signer()) as unknown as Presigner;
  const signed = await signer.presign(
    { ...built, query: {}, headers },
    { expiresIn: expiresInSeconds, signableHeaders: BOUND, unhoistableHeaders: BOUND, unsignableHeaders: new Set() },
  );
  return addressOf(signed);
}

async function builtRequest(client: S3Client, { bucket, key }: { bucket: string; key: string }): Promise<BuiltRequest> {
  const command = new PutObjectCommand({ Bucket: bucket, Key: key });
  let built: BuiltRequest | undefined;
  command.middlewareStack.add(
    () => (args) => {
      built = (args as { request: BuiltRequest }).request;
      return Promise.resolve({ output: { $metadata: {} }, response: {} });
    },
    { step: 'build', priority: 'low', name: 'kept-instead-of-sent' },
  );
  await client.send(command);
  if (!built) throw new Error('the SDK built no request');
  return built;
}

function hostOf({ hostname, port }: BuiltRequest): string {
  return port === undefined ? hostname : `${hostname}:${port}`;
}

function addressOf(request: BuiltRequest): string {
  const query = Object.entries(request.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return `${request.protocol}//${hostOf(request)}${request.path}?${query}`;
}
