import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics, opsServer, type OpsServer } from '@constancia/telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf } from './server-context.ts';
import { listenForPages } from '../index.ts';
import { KEY, specApp } from '../spec-app.fixture.ts';

/** What every address that a process listens on must bear: the API, the signers' pages, the operators' port. */

let app: NestFastifyApplication;
let ops: OpsServer;
const ports: Record<string, number> = {};
const token = 'o'.repeat(32);

beforeAll(async () => {
  const pageHost = { port: 0, folders: ['/nowhere'], pages: { '/:token': 'index.html' } };
  ({ app } = await specApp({
    config: { rateLimitTenant: 1_000_000, rateLimitIp: 1_000_000 },
    pageHosts: { page: pageHost },
  }));
  for (const server of [app.getHttpServer() as Server, contextOf(app).pages.page?.server as Server]) {
    server.headersTimeout = 1_000; // in place of 10 s
  }
  await app.listen(0, '127.0.0.1');
  ports.api = (app.getHttpServer().address() as AddressInfo).port;
  ports.pages = await listenForPages(app);
  ops = await opsServer({ port: 0, readiness: {}, metrics: new Metrics({ app: 'spec' }), token });
  ports.ops = ops.port;
});
afterAll(async () => {
  await ops?.close();
  await app?.close();
});

/** Writes bytes, slowly when there are many parts; answers what came back until the server closed, or `patienceMs` passed. */
function conversation(port: number, parts: readonly string[], everyMs = 0, patienceMs = 3_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let said = '';
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(said);
    });
    void (async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        if (everyMs > 0) await new Promise((done) => setTimeout(done, everyMs));
      }
    })();
  });
}

const LISTENERS = ['api', 'pages', 'ops'] as const;

describe.each(LISTENERS)('the listener of %s', (listener) => {
  it('refuses a header that is too large, and an address that is', async () => {
    const header = await conversation(ports[listener] as number, [
      `GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Filler: ${'x'.repeat(200_000)}\r\n\r\n`,
    ]);
    expect(header).toMatch(/^HTTP\/1\.1 4(00|31) /);
    const address = await conversation(ports[listener] as number, [
      `GET /${'x'.repeat(200_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    ]);
    expect(address).toMatch(/^HTTP\/1\.1 4(00|14|31) /);
    expect(header + address).not.toMatch(/node_modules|at \w+ \(/);
  });

  it('answers requests that come at once in their order', async () => {
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const last = `GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const said = await conversation(ports[listener] as number, [
      `${request('/livez')}${request('/no/such/path')}${request('/livez')}${last}`,
    ]);
    expect([...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200', '200']);
  });

  it('takes no request whose length is stated in two ways', async () => {
    const said = await conversation(ports[listener] as number, [
      'POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n',
    ]);
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(said).not.toContain(' 200 ');
  });

  it('does not run out of connections while a hundred of them say nothing', async () => {
    const silent = Array.from({ length: 100 }, () => net.connect(ports[listener] as number, '127.0.0.1'));
    for (const socket of silent) {
      socket.on('error', () => undefined);
      socket.write('GET /livez HT');
    }
    const said = await conversation(ports[listener] as number, [
      'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]);
    for (const socket of silent) socket.destroy();
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it.each(['api', 'pages', 'ops'] as const)(
  'slow headers (slowloris) are cut off by the listener of %s',
  { timeout: 20_000 },
  async (listener) => {
    const drip = ['GET /livez HTTP/1.1\r\n', ...Array.from({ length: 60 }, (_, i) => `X-${i}: x\r\n`)];
    const started = Date.now();
    const said = await conversation(ports[listener] as number, drip, 200, 15_000);
    expect(Date.now() - started).toBeLessThan(11_000);
    expect(said).toMatch(/^(HTTP\/1\.1 408 |$)/);
  },
);

it('what operators have is on no public address, with their token neither', async () => {
  for (const path of ['/metrics', '/ops', '/ops/deliveries', '/ops/acts']) {
    for (const listener of ['api', 'pages'] as const) {
      const headers = { authorization: `Bearer ${token}`, 'x-api-key': KEY };
      const response = await fetch(`http://127.0.0.1:${ports[listener]}${path}`, { headers });
      expect(await response.text(), path).not.toContain('# HELP');
      // On the host of pages a word is a link to sign: its page, which is not built here.
      expect(listener === 'api' ? [404] : [404, 503], `${listener} ${path}`).toContain(response.status);
    }
  }
  expect((await fetch(`http://127.0.0.1:${ports.ops}/metrics`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${ports.ops}/v1/things`, { headers: { 'x-api-key': KEY } })).status).toBe(404);
});
