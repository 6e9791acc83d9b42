import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What befalls a request on its way to KMS: nothing; a reset connection; an answer that comes late, or never ends. */
export type Fault = 'none' | 'reset' | 'slow' | 'endless';

export interface FaultyPath {
  url: string;
  /** When each request arrived, in ms. */
  arrivals: number[];
  /** What befalls the next requests, one each; the ones behind them arrive. */
  faults: Fault[];
  close(): Promise<void>;
}

const SLOW_MS = 1_000;

/** A way to the development KMS on which connections break and answers are late. */
export async function faultyPath(target: string): Promise<FaultyPath> {
  const arrivals: number[] = [];
  const faults: Fault[] = [];
  const server = http.createServer((request, response) => {
    arrivals.push(performance.now());
    const fault = faults.shift() ?? 'none';
    if (fault === 'reset') return request.socket.resetAndDestroy();
    if (fault === 'endless') {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1', 'content-length': 100 });
      return response.write('{');
    }
    setTimeout(
      () => {
        const onward = http.request(target, { method: request.method, headers: request.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        onward.on('error', () => response.destroy());
        request.pipe(onward);
      },
      fault === 'slow' ? SLOW_MS : 0,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    faults,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
