import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { Listener } from './listener.ts';

/** The least of PostgreSQL's protocol: lets everybody in, and notes the statements. */
class FakeServer {
  readonly statements: string[] = [];
  readonly sockets = new Set<Socket>();
  readonly #server = net.createServer((socket) => this.#serve(socket));

  listen(port = 0): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(port, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port)),
    );
  }

  close(): Promise<void> {
    this.drop();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    const ready = message('Z', Buffer.from('I'));
    socket.on('data', (data) => {
      const isStartup = data.length > 8 && data.readInt32BE(4) === 196_608;
      if (isStartup) socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      if (data[0] !== 'Q'.charCodeAt(0)) return;
      this.statements.push(data.subarray(5, -1).toString());
      socket.write(Buffer.concat([message('C', Buffer.from('LISTEN\0')), ready]));
    });
  }
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const urlOf = (port: number) => `postgres://somebody@127.0.0.1:${port}/nothing`;

let server = new FakeServer();
let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close();
  await server.close();
  server = new FakeServer();
});

it('listens again after each loss of its connection, on one connection', async () => {
  listener = new Listener(urlOf(await server.listen()), 'spec');
  await listener.listen('news', () => undefined);
  for (const times of [2, 3]) {
    server.drop();
    await vi.waitFor(() => expect(server.statements).toHaveLength(times), 3_000);
    await vi.waitFor(() => expect(listener?.connected).toBe(true));
  }
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(server.statements).toEqual(['LISTEN news', 'LISTEN news', 'LISTEN news']);
  expect(server.sockets.size).toBe(1);
});

it('does not make the start wait for a server that is unavailable, and connects when it is back', async () => {
  const port = await server.listen();
  await server.close();
  listener = new Listener(urlOf(port), 'spec');
  await listener.listen('news', () => undefined);
  expect(listener.connected).toBe(false);
  server = new FakeServer();
  await server.listen(port);
  await vi.waitFor(() => expect(listener?.connected).toBe(true), 3_000);
  expect(server.statements).toEqual(['LISTEN news']);
});

it('makes no further attempt once it is closed', async () => {
  const port = await server.listen();
  await server.close();
  const closed = new Listener(urlOf(port), 'spec');
  await closed.listen('news', () => undefined);
  await closed.close();
  server = new FakeServer();
  await server.listen(port);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([closed.connected, server.statements]).toEqual([false, []]);
});
