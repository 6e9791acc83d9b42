import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const ANSWERED = ['/live', '/again'] as const;

const PROGRAM = `
  const http = require('node:http');
  const { parentPort, workerData: { counter, servers, paths } } = require('node:worker_threads');
  const answer = (request, response) => {
    request.resume().on('end', () => {
      const path = paths.indexOf(request.url);
      if (path === -1) return;
      Atomics.add(counter, path, 1);
      response.writeHead(204).end();
    });
  };
  const all = Array.from({ length: servers }, () => http.createServer({ keepAliveTimeout: 60_000 }, answer));
  const listening = all.map((server) => new Promise((done) => server.listen(0, '127.0.0.1', done)));
  Promise.all(listening).then(() => parentPort.postMessage(all.map((server) => server.address().port)));`;

/** Receivers of webhooks, all in a thread of their own: 204 on /live and /again, counted; nothing at all on any other path. */
export class Receivers {
  private constructor(
    private readonly thread: Worker,
    private readonly counter: Int32Array,
    readonly origins: readonly string[],
  ) {}

  static async start(servers: number): Promise<Receivers> {
    const counter = new Int32Array(new SharedArrayBuffer(4 * ANSWERED.length));
    const thread = new Worker(PROGRAM, { eval: true, workerData: { counter, servers, paths: ANSWERED } });
    const [ports] = (await once(thread, 'message')) as [number[]];
    return new Receivers(
      thread,
      counter,
      ports.map((port) => `http://127.0.0.1:${port}`),
    );
  }

  answered(path: (typeof ANSWERED)[number]): number {
    return Atomics.load(this.counter, ANSWERED.indexOf(path));
  }

  async close(): Promise<void> {
    await this.thread.terminate();
  }
}
