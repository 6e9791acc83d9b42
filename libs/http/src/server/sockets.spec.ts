import type http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from './http-server.ts';
import type { ProblemFilter } from '../answers/problem-filter.ts';
import { KEY, specApp } from '../spec-app.fixture.ts';

/** What only real connections show: bodies without a length, lies about lengths, asking first, bytes that are no request. */

let app: NestFastifyApplication;
let port: number;

beforeAll(async () => {
  ({ app } = await specApp({ config: { rateLimitTenant: 1_000_000, rateLimitIp: 1_000_000 } }));
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => app.close());

interface Talk {
  socket: net.Socket;
  said: () => string;
  /** Resolves once the server has said something that matches. */
  until(pattern: RegExp): Promise<string>;
  closed: Promise<void>;
}

function connect(): Talk {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  return {
    socket,
    said: () => text,
    until: async (pattern) => {
      const deadline = Date.now() + 4_000;
      while (!pattern.test(text)) {
        if (socket.destroyed || Date.now() > deadline) throw new Error(`waited for ${pattern}, got: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return text;
    },
    closed: new Promise((resolve) => socket.on('close', () => resolve())),
  };
}

const head = (method: string, path: string, headers: Record<string, string>) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const PDF = { 'Content-Type': 'application/pdf' };
const CHUNK = `1000\r\n${'x'.repeat(0x1000)}\r\n`;

describe('a body that is too large', () => {
  it('without a length gets its 413 while it is still being sent, and the connection goes on', async () => {
    const { socket, until, said } = connect();
    socket.write(head('POST', '/v1/pdf', { ...PDF, 'Transfer-Encoding': 'chunked' }));
    for (let i = 0; i < 50; i++) socket.write(CHUNK);
    await until(/ 413 /);
    for (let i = 0; i < 50; i++) socket.write(CHUNK);
    socket.write('0\r\n\r\n');
    socket.write(head('GET', '/v1/things', {}));
    await until(/ 413 [^]* 200 OK/);
    expect(said()).toContain('application/problem+json');
    expect(said()).toMatch(/x-ratelimit-remaining/i);
    socket.destroy();
  });

  it('with a length gets its 413 at once, and can be sent to its end', async () => {
    const { socket, until } = connect();
    const length = 3_000_000;
    socket.write(head('POST', '/v1/pdf', { ...PDF, 'Content-Length': String(length) }));
    await until(/ 413 /);
    socket.write(Buffer.alloc(length));
    socket.write(head('GET', '/v1/things', {}));
    await until(/ 413 [^]* 200 OK/);
    socket.destroy();
  });

  it('can be read by fetch as a problem', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pdf`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/pdf' },
      body: Buffer.alloc(5_000_000),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ status: 413 });
  });

  it('that never ends is cut off', { timeout: 15_000 }, async () => {
    const { socket, until, closed } = connect();
    socket.write(head('POST', '/v1/pdf', { ...PDF, 'Transfer-Encoding': 'chunked' }));
    const dripping = setInterval(() => socket.write(CHUNK), 20);
    await until(/ 413 /);
    await closed;
    clearInterval(dripping);
  });
});

describe('a client that asks first (Expect: 100-continue)', () => {
  it('gets 100 Continue when its body will be read', async () => {
    const { socket, until } = connect();
    socket.write(head('POST', '/v1/pdf', { ...PDF, 'Content-Length': '3', Expect: '100-continue' }));
    await until(/^HTTP\/1\.1 100 Continue\r\n/);
    socket.write('abc');
    await until(/ 201 Created[^]*{"bytes":3}/);
    socket.destroy();
  });

  it.each([
    ['413', { ...PDF, 'Content-Length': '5000' }],
    ['415', { 'Content-Type': 'text/plain', 'Content-Length': '5' }],
    ['401', { ...PDF, 'Content-Length': '5', 'X-API-Key': 'also' }],
  ])('is spared the body when the answer is %s anyway', async (status, headers) => {
    const { socket, until, said } = connect();
    socket.write(head('POST', '/v1/pdf', { ...headers, Expect: '100-continue' }));
    await until(new RegExp(`^HTTP/1.1 ${status} `));
    expect(said()).not.toContain('100 Continue');
    socket.destroy();
  });
});

describe('a length that is a lie', () => {
  it('in Content-Length and Transfer-Encoding together is refused', async () => {
    const { socket, until } = connect();
    socket.write(head('POST', '/v1/things', { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }));
    await until(/^HTTP\/1\.1 400 [^]*application\/problem\+json/);
    socket.destroy();
  });

  it.each(['-1', '1e3', '5, 6', 'many'])('is refused: %s', async (length) => {
    const { socket, until } = connect();
    socket.write(head('POST', '/v1/things', { 'Content-Length': length }));
    await until(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  it('that is too short leaves bytes that are no request, and the whole is refused', async () => {
    const { socket, until } = connect();
    socket.write(`${head('POST', '/v1/pdf', { ...PDF, 'Content-Length': '3' })}abcdef`);
    await until(/HTTP\/1\.1 400 /);
    socket.destroy();
  });

  it('does no harm when the client goes away in the middle', async () => {
    const { socket } = connect();
    socket.write(`${head('POST', '/v1/pdf', { ...PDF, 'Content-Length': '500' })}abc`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    const response = await fetch(`http://127.0.0.1:${port}/livez`);
    expect(response.status).toBe(200);
  });
});

describe('bytes that are no request', () => {
  it.each(['nonsense\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'])(
    'get 400 as a problem, with the headers of every answer: %j',
    async (bytes) => {
      const { socket, until, closed } = connect();
      socket.write(Buffer.from(bytes, 'latin1'));
      expectProblem(await until(/^HTTP\/1\.1 400 Bad Request\r\n[^]*}$/), 'This is no HTTP request.');
      await closed;
    },
  );

  it('get 400 when the headers are too large', async () => {
    const { socket, until } = connect();
    socket.write(head('GET', '/v1/things', { 'X-Placeholders': 'x'.repeat(100_000) }));
    expectProblem(await until(/^HTTP\/1\.1 400 Bad Request\r\n[^]*}$/), 'The headers are larger than 64 KB.');
    socket.destroy();
  });

  it('count against their address', async () => {
    const remaining = async () => {
      const { socket, until } = connect();
      socket.write('nonsense\r\n\r\n');
      const said = await until(/^HTTP\/1\.1 400 [^]*}$/);
      socket.destroy();
      return Number(/^x-ratelimit-remaining: (\d+)/im.exec(said)?.[1]);
    };
    expect((await remaining()) - (await remaining())).toBe(1);
  });

  function expectProblem(said: string, detail: string): void {
    const id = /^x-request-id: (\S+)\r$/im.exec(said)?.[1];
    expect(said).toMatch(/^x-ratelimit-limit: \d+\r\nx-ratelimit-remaining: \d+\r\nx-ratelimit-reset: \d+\r$/im);
    expect(said).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).toEqual({
      type: 'https://api.example.test/problems/bad-request',
      title: 'The request cannot be read',
      status: 400,
      detail,
      instance: '/',
      request_id: id,
    });
  }

  // The router takes `*livez` for /livez.
  const targets = ['GET *things', 'GET *livez', 'GET *v1/things', 'GET http://x?a=/livez', 'OPTIONS *'];
  it.each(targets.map((target) => `${target} HTTP/1.1`))('find no route: %s', async (line) => {
    const { socket, until } = connect();
    socket.write(`${line}\r\nHost: x\r\n\r\n`);
    const said = await until(/^HTTP\/1\.1 40[145] [^]*}$/);
    expect(said).toMatch(/^x-request-id: \S+\r$/im);
    expect(said).toMatch(/^x-content-type-options: nosniff\r$/im);
    if (!line.includes('livez')) expect(said).toMatch(/x-ratelimit-limit/i); // probes are not limited
    socket.destroy();
  });
});

describe('the server', () => {
  it('has the time limits of the design', () => {
    const server = app.getHttpServer() as http.Server;
    expect(server.headersTimeout).toBe(10_000);
    expect(server.requestTimeout).toBe(30_000);
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.timeout).toBe(60_000);
  });

  it('cuts a connection whose answer nobody reads, and lets go of what it was read from', async () => {
    const server = createServer(() => ({}) as ProblemFilter);
    server.server.timeout = 300; // in place of a minute
    const endless = new Readable({ read: (size) => void endless.push(Buffer.alloc(size)) });
    server.get('/large', (_, reply) => reply.send(endless));
    await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => endless.once('close', resolve));
    socket.destroy();
    await server.close();
  });
});
