import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { contextOf } from './server-context.ts';
import { drainHttp } from './serve.ts';
import { specApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function listening() {
  const spec = await specApp({ config: { rateLimitIp: 1_000_000 } });
  app = spec.app;
  await spec.app.listen(0, '127.0.0.1');
  return { app: spec.app, port: (spec.app.getHttpServer().address() as AddressInfo).port };
}

interface Answer {
  status: number;
  connection: string | undefined;
}

function get(port: number, path: string, agent?: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get({ port, host: '127.0.0.1', path, agent }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      });
    });
    request.on('error', reject);
  });
}

describe('draining', () => {
  it('answers what is under way and what still comes, closing each connection, and is not ready', async () => {
    const { app, port } = await listening();
    const underWay = get(port, '/open/slow');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const drained = drainHttp(app, contextOf(app).drain, 700); // over before what is under way
    expect(await get(port, '/readyz')).toEqual({ status: 503, connection: 'close' });
    expect(await get(port, '/open/ip')).toEqual({ status: 200, connection: 'close' });
    expect(await get(port, '/nowhere')).toEqual({ status: 404, connection: 'close' });
    expect(await underWay).toEqual({ status: 200, connection: 'close' });
    await drained;
    await expect(get(port, '/open/ip')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fails no request of clients that keep their connections', { timeout: 20_000 }, async () => {
    const { app, port } = await listening();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    const failures: unknown[] = [];
    let answered = 0;
    let stopped = false;
    const client = async () => {
      while (!stopped) {
        try {
          const { status, connection } = await get(port, '/open/ip', agent);
          answered++;
          if (status !== 200) failures.push(status);
          if (connection === 'close') return; // such a client goes to another process
        } catch (error) {
          failures.push(error);
          return;
        }
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await drainHttp(app, contextOf(app).drain, 0);
    stopped = true;
    await clients;
    agent.destroy();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(20);
  });

  it('lets the app close afterwards', async () => {
    const { app: drained } = await listening();
    await drainHttp(drained, contextOf(drained).drain, 0);
    await expect(drained.close()).resolves.toBeUndefined();
    app = undefined;
  });
});
