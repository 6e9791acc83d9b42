/// <reference types="node" />
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { fetchWithTimeout, type Refusal, sendJson, Unreachable } from './client.ts';

let server: Server;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

it.each([200, 409])('an answer of %i whose body hangs after its headers ends after 30 s', async (status) => {
  const url = await serve((_request, response) => response.writeHead(status).write('{"half":'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fetching = vi.spyOn(globalThis, 'fetch');
  let ended = false;
  const errorOf = ({ status }: Refusal) => new Error(`refused with ${status}`);
  const failure = sendJson(url, { method: 'GET', errorOf })
    .catch((error: unknown) => error)
    .finally(() => (ended = true));
  await fetching.mock.results[0]?.value; // the headers are here
  await vi.advanceTimersByTimeAsync(29_999);
  expect(ended).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await failure).toEqual(status === 200 ? expect.any(Unreachable) : new Error('refused with 409'));
});

it('the caller ends a request before that', async () => {
  const url = await serve(() => undefined);
  const leaving = new AbortController();
  const fetching = fetchWithTimeout(url, { signal: leaving.signal });
  leaving.abort();
  await expect(fetching).rejects.toThrow(Unreachable);
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
