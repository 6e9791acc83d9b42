import net, { type AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Metrics } from '@constancia/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyMemory } from './body-memory.ts';
import { KEY, specApp } from '../spec-app.fixture.ts';

const MB = 1024 * 1024;

describe('the memory for bodies', () => {
  it('is bounded for all, and for one caller at half of it', () => {
    const memory = new BodyMemory(8 * MB);
    const requests = [{}, {}, {}, {}] as const;
    expect(memory.hold(requests[0], 'a', 3 * MB)).toBe(true);
    expect(memory.hold(requests[1], 'a', 2 * MB)).toBe(false);
    expect(memory.hold(requests[1], 'b', 4 * MB)).toBe(true);
    expect(memory.hold(requests[2], 'c', 2 * MB)).toBe(false);
    expect(memory.hold(requests[2], 'c', 1 * MB)).toBe(true);
    expect(memory.heldBytes).toBe(8 * MB);
    memory.release(requests[0]);
    expect(memory.hold(requests[3], 'a', 3 * MB)).toBe(true);
  });

  it('counts what a request adds, no small body, and nothing of a request that is over', () => {
    const memory = new BodyMemory(8 * MB);
    const [growing, small] = [{}, {}];
    for (const bytes of [1_000, 1 * MB, 2 * MB, 2 * MB]) expect(memory.hold(growing, 'a', bytes)).toBe(true);
    expect(memory.hold(small, 'a', 64 * 1024)).toBe(true);
    expect(memory.heldBytes).toBe(2 * MB);
    memory.release(growing);
    memory.release(growing);
    expect(memory.hold(growing, 'a', 3 * MB)).toBe(false);
    expect(memory.heldBytes).toBe(0);
  });
});

describe('bodies that arrive at once', () => {
  let app: NestFastifyApplication;
  let metrics: Metrics;
  let port: number;
  const sockets: net.Socket[] = [];

  beforeEach(async () => {
    ({ app, metrics } = await specApp({ config: { maxBodyMemoryMb: 40 } })); // 20 MB for one tenant
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** Begins an upload and leaves it there. */
  function begin(headers: string, first: Buffer | string): net.Socket {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.write(`POST /v1/large-pdf HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n`);
    socket.write(`Content-Type: application/pdf\r\n${headers}\r\n\r\n`);
    socket.write(first);
    return socket;
  }
  const upload = (bytes: number) =>
    fetch(`http://127.0.0.1:${port}/v1/large-pdf`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/pdf' },
      body: Buffer.alloc(bytes),
    });
  const held = async () => Number(/^http_body_bytes_held\S* (\d+)/m.exec(await metrics.text())?.[1]);
  const holds = (bytes: number) => expect.poll(held, { timeout: 4_000 }).toBe(bytes);

  it('are refused with 503 beyond the budget, small ones never, until room is free again', async () => {
    const slow = begin(`Content-Length: ${15 * MB}`, 'x');
    await holds(15 * MB);
    const refused = await upload(10 * MB);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ type: expect.stringContaining('/dependency-unavailable') });
    expect((await upload(60_000)).status).toBe(201);
    expect((await upload(4 * MB)).status).toBe(201);
    await holds(15 * MB);
    slow.destroy();
    await holds(0);
    expect((await upload(10 * MB)).status).toBe(201);
    await holds(0);
  });

  it('take no room by an announcement alone, and by what arrived when nothing is announced', async () => {
    begin(`Content-Length: ${15 * MB}`, '');
    begin('Transfer-Encoding: chunked', `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`);
    await holds(MB);
    expect((await upload(10 * MB)).status).toBe(201);
    expect((await upload(19.5 * MB)).status).toBe(503);
  });

  it('give their room back when there turns out to be too little', async () => {
    begin(`Content-Length: ${18 * MB}`, 'x');
    await holds(18 * MB);
    const late = begin('Transfer-Encoding: chunked', '');
    const answer = new Promise<string>((resolve) => late.once('data', (chunk) => resolve(chunk.toString('latin1'))));
    for (let i = 0; i < 3; i++) late.write(`${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    await holds(18 * MB);
  });
});
