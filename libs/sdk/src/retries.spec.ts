import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { retryingFetch } from './retries.ts';

interface Seen {
  method: string;
  body: string;
  at: number;
}

/** A server that gives the answers in order (the last one for good) and remembers what it was sent. */
async function server(answers: { status: number; headers?: Record<string, string>; drop?: boolean }[]) {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(seen.length, answers.length - 1)] as (typeof answers)[number];
      seen.push({ method: request.method ?? '', body: Buffer.concat(chunks).toString(), at: Date.now() });
      if (answer.drop) return request.socket.destroy();
      response.writeHead(answer.status, answer.headers).end('{}');
    });
  };
  const http = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, seen };
}

const post = (url: string, headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', body: '{"a":1}', headers });
const KEY = { 'Idempotency-Key': '5f0c2f1e-63a5-4a0e-9b39-1f2d3c4b5a69' };

describe('a retrying fetch', () => {
  it('waits as long as Retry-After says, and sends the same body again', async () => {
    const { url, seen } = await server([{ status: 429, headers: { 'Retry-After': '1' } }, { status: 201 }]);
    expect((await retryingFetch()(post(url))).status).toBe(201);
    expect(seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect((seen[1] as Seen).at - (seen[0] as Seen).at).toBeGreaterThanOrEqual(990);
  });

  it('waits until X-RateLimit-Reset when there is no Retry-After', async () => {
    const reset = Math.floor(Date.now() / 1000) + 1;
    const { url, seen } = await server([
      { status: 429, headers: { 'X-RateLimit-Reset': String(reset) } },
      { status: 200 },
    ]);
    expect((await retryingFetch()(new Request(url))).status).toBe(200);
    expect((seen[1] as Seen).at).toBeGreaterThanOrEqual(reset * 1000 - 2);
  });

  it('repeats a POST after 503 or a broken connection only with an Idempotency-Key', async () => {
    const failures = [{ status: 503, headers: { 'Retry-After': '0' } }, { status: 0, drop: true }, { status: 202 }];
    const safe = await server(failures);
    expect((await retryingFetch()(post(safe.url, KEY))).status).toBe(202);
    expect(safe.seen).toHaveLength(3);

    const unsafe = await server(failures);
    expect((await retryingFetch()(post(unsafe.url))).status).toBe(503);
    expect(unsafe.seen).toHaveLength(1);

    const dropped = await server([{ status: 0, drop: true }]);
    await expect(retryingFetch()(post(dropped.url))).rejects.toThrow();
    expect(dropped.seen).toHaveLength(1);
  });

  it('waits for a request with the same Idempotency-Key that is still at work, but not for other conflicts', async () => {
    const running = await server([{ status: 409, headers: { 'Retry-After': '0' } }, { status: 202 }]);
    expect((await retryingFetch()(post(running.url, KEY))).status).toBe(202);
    const other = await server([{ status: 409 }]);
    expect((await retryingFetch()(post(other.url, KEY))).status).toBe(409);
    expect(other.seen).toHaveLength(1);
  });

  it('gives the answer to the caller when attempts are used up or the wait is too long', async () => {
    const busy = await server([{ status: 429, headers: { 'Retry-After': '0' } }]);
    expect((await retryingFetch({ attempts: 3 })(new Request(busy.url))).status).toBe(429);
    expect(busy.seen).toHaveLength(3);
    const long = await server([{ status: 429, headers: { 'Retry-After': '3600' } }]);
    expect((await retryingFetch()(new Request(long.url))).status).toBe(429);
    expect(long.seen).toHaveLength(1);
  });

  it('stops waiting when the caller aborts', async () => {
    const { url } = await server([{ status: 429, headers: { 'Retry-After': '30' } }]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await expect(retryingFetch()(new Request(url, { signal: abort.signal }))).rejects.toThrow();
  });
});
