import http from 'node:http';
import { uuidv7 } from '@constancia/kernel';
import type { SeenResponse } from '@constancia/testing';
import { IdRef, type KnownIds, unknownId } from './known-ids.ts';
import { mutated } from './mutate.ts';
import type { App } from './operations.ts';
import type { FuzzRequest } from './requests.ts';

/** Who calls, and what is known to be there. */
export interface Caller {
  hosts: Record<App, string>;
  apiKey: string;
  own: KnownIds;
  foreign: KnownIds;
  /** Bodies that are no JSON, by content type. */
  samples: ReadonlyMap<string, Buffer>;
}

/** A request as it went over the wire. */
export interface SentRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
}

export interface Exchange {
  sent: SentRequest;
  /** Undefined: the connection ended without an answer. */
  seen: SeenResponse | undefined;
  ms: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
/** Longer than the longest wait of a route (25 s). */
const PATIENCE_MS = 40_000;

/** Sends a request and reads its answer to the end. */
export async function send(request: FuzzRequest, caller: Caller): Promise<Exchange> {
  const sent = wireOf(request, caller);
  const started = performance.now();
  const seen = await exchange(sent);
  return { sent, seen, ms: performance.now() - started };
}

function wireOf(request: FuzzRequest, caller: Caller): SentRequest {
  const { operation, twist } = request;
  const found = (ref: IdRef) => resolved(ref, caller);
  const address = addressOf(request, found);
  const method = twist.method ?? operation.method;
  const content = method === 'HEAD' || method === 'TRACE' ? undefined : contentOf(request, found, caller);
  const headers: [string, string][] = credentialHeaders(request, caller);
  const type = twist.contentType ? twist.contentType.is : content?.type;
  if (type !== undefined && content !== undefined) headers.push(['Content-Type', type]);
  for (const [name, value] of Object.entries({ ...request.headers, ...twist.headers })) {
    for (const each of [value].flat())
      headers.push([name, printable(each instanceof IdRef ? found(each) : String(each))]);
  }
  return { method, url: caller.hosts[operation.app] + address, headers, body: content?.bytes };
}

function addressOf({ operation, path, query, twist }: FuzzRequest, found: (ref: IdRef) => string): string {
  let ready = '';
  const pathname = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = path[name];
    if (!(value instanceof IdRef)) return String(value);
    const text = found(value);
    if (value.kind !== 'upload' || !text.includes('/uploads/')) return encodeURIComponent(text);
    const url = new URL(text); // comes with its signature
    ready = url.search.slice(1);
    return url.pathname.split('/').at(-1) as string;
  });
  const own = Object.entries(query).map(([name, value]) => {
    const text = value instanceof IdRef ? found(value) : String(value);
    return `${name}=${encodeURIComponent(text.toWellFormed())}`;
  });
  const parts = ready === '' ? [...own, twist.query] : [ready, twist.query];
  const search = parts.filter((part) => part !== undefined && part !== '').join('&');
  return `${pathname}${twist.trailing ?? ''}${search === '' ? '' : `?${search}`}`;
}

function contentOf(
  { body, twist, operation }: FuzzRequest,
  found: (ref: IdRef) => string,
  caller: Caller,
): { type: string; bytes: Buffer } | undefined {
  if (twist.rawBody !== undefined && (body !== undefined || operation.method !== 'GET')) {
    return { type: body?.contentType ?? 'application/json', bytes: Buffer.from(twist.rawBody) };
  }
  if (body === undefined) return undefined;
  let bytes = caller.samples.get(body.contentType);
  if (bytes === undefined) {
    let value = concrete(body.value, found);
    for (const mutation of twist.body) value = mutated(value, mutation);
    bytes = Buffer.from(JSON.stringify(value) ?? '');
  }
  return { type: body.contentType, bytes: twist.bytes ? damaged(bytes, twist.bytes) : bytes };
}

function damaged(bytes: Buffer, { kind, at }: NonNullable<FuzzRequest['twist']['bytes']>): Buffer {
  if (kind === 'empty') return Buffer.alloc(0);
  if (kind === 'double') return Buffer.concat([bytes, bytes]);
  if (kind === 'cut') return bytes.subarray(0, at % Math.max(1, bytes.length));
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 8 && copy.length > 0; i++) copy[(at * (i + 7) + i) % copy.length] = (at + 31 * i) % 256;
  return copy;
}

/** A copy without references. */
function concrete(value: unknown, found: (ref: IdRef) => string): unknown {
  if (value instanceof IdRef) return found(value);
  if (Array.isArray(value)) return value.map((each) => concrete(each, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, concrete(each, found)]));
}

function resolved({ kind, whose, nth }: IdRef, { own, foreign }: Caller): string {
  const known = whose === 'own' ? own.nth(kind, nth) : whose === 'foreign' ? foreign.nth(kind, nth) : undefined;
  return known ?? unknownId(kind);
}

function credentialHeaders({ credential, operation }: FuzzRequest, { apiKey, own }: Caller): [string, string][] {
  const key: [string, string] = ['X-API-Key', apiKey];
  switch (credential) {
    case 'own':
      return operation.public ? [] : [key];
    case 'none':
      return [];
    case 'malformed':
      return [['X-API-Key', `${apiKey.slice(0, -1)}!`]];
    case 'twice':
      return [key, ['X-API-Key', `test_${'A'.repeat(49)}`]];
    case 'session':
      return [['Authorization', `Bearer ${own.nth('session_token', 0) ?? uuidv7()}`]];
    case 'bearer':
      return [key, ['Authorization', `Bearer ${'A'.repeat(47)}`]];
  }
}

/** What may stand in a header: the rest is refused by the client already (and tried over bare sockets elsewhere). */
function printable(text: string): string {
  return [...text].map((character) => (/[\t\x20-\x7e\x80-\xff]/.test(character) ? character : '?')).join('');
}

function exchange(sent: SentRequest, connections: http.Agent | false = agent): Promise<SeenResponse | undefined> {
  const { method, url, headers, body } = sent;
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const path = url.slice(target.origin.length); // as it is: URL would tidy it up
    const host = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', target.host] as const];
    // Without a length Node would announce an empty body in chunks, which few clients do.
    const length =
      method === 'GET' || method === 'HEAD' ? [] : [['Content-Length', String(body?.length ?? 0)] as const];
    const request = http.request({
      ...{
        agent: connections,
        host: target.hostname,
        port: target.port,
        path: encodedPath(path),
        method,
        timeout: PATIENCE_MS,
      },
      headers: [...host, ...length, ...headers].flat(),
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('HPE_')) return resolve(undefined); // bytes that are no answer
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') return reject(error);
      // A kept connection may have been closed meanwhile: that is no answer to this request.
      resolve(request.reusedSocket ? exchange(sent, false) : undefined);
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => resolve(undefined));
      response.once('end', () =>
        resolve({
          ...{ method, url: path, status: response.statusCode as number, body: Buffer.concat(chunks) },
          headers: response.headers as Record<string, string | undefined>,
        }),
      );
    });
    request.end(body);
  });
}

/** Without what the client itself refuses to send. */
function encodedPath(path: string): string {
  return [...path]
    .map((character) => (/[\x21-\x7e]/.test(character) ? character : encodeURIComponent(character.toWellFormed())))
    .join('');
}
