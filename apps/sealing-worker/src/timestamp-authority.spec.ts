import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TimestampAuthority, TimestampUnavailable } from './timestamp-authority.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function authority(
  answer: http.RequestListener,
): Promise<{ asked: TimestampAuthority; seen: http.IncomingMessage[] }> {
  const seen: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = new TimestampAuthority(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`, 300);
  opened.push(asked, { close: () => (server.closeAllConnections(), server.close()) });
  return { asked, seen };
}

const digest = Buffer.alloc(32, 7);

describe('a time-stamping authority that gives no token', () => {
  it.each<[string, http.RequestListener, RegExp]>([
    ['is silent', () => undefined, /timeout/],
    ['refuses the connection', (request) => request.socket.destroy(), /closed|socket/],
    ['answers an error', (_, response) => response.writeHead(500).end('no'), /answered 500/],
    ['answers a page', (_, response) => response.end('<html>'), /no TimeStampResp/],
    ['refuses', (_, response) => response.end(Buffer.from('30053003020102', 'hex')), /status 2/],
    ['never ends', (_, response) => void response.write(Buffer.alloc(200_000)), /size|timeout/i],
  ])('%s: reported as unavailable, within its deadline', async (_, answer, detail) => {
    const { asked, seen } = await authority(answer);
    const startedAt = performance.now();
    const error: unknown = await asked.timestamp(digest).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimestampUnavailable);
    expect((error as Error).message).toMatch(detail);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/timestamp-query' });
  });

  it('is not there at all', async () => {
    const asked = new TimestampAuthority('http://127.0.0.1:1/', 300);
    opened.push(asked);
    await expect(asked.timestamp(digest)).rejects.toThrow(TimestampUnavailable);
  });
});
