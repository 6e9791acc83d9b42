import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  path: string;
  headers: Record<string, string>;
  /** The raw body, as received. */
  body: string;
  at: Date;
}

export type SinkBehaviour = (response: http.ServerResponse, delivery: ReceivedDelivery) => void;

export interface WebhookSink {
  url: string;
  received: ReceivedDelivery[];
  /** Changes what it does with a delivery from now on, down to the socket. */
  behave(next: SinkBehaviour): void;
  /** Waits until a delivery matches; throws after timeoutMs. */
  waitFor(match: (delivery: ReceivedDelivery) => boolean, timeoutMs?: number): Promise<ReceivedDelivery>;
  close(): Promise<void>;
}

/** A webhook receiver on loopback that keeps what it was sent. Answers 204 until configured otherwise. */
export async function webhookSink(): Promise<WebhookSink> {
  const received: ReceivedDelivery[] = [];
  let handle: SinkBehaviour = (response) => response.writeHead(204).end();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery: ReceivedDelivery = {
        path: request.url ?? '/',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
        at: new Date(),
      };
      received.push(delivery);
      handle(response, delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave: (next) => (handle = next),
    async waitFor(match, timeoutMs = 10_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const found = received.find(match);
        if (found) return found;
        if (Date.now() > deadline)
          throw new Error(`no such delivery within ${timeoutMs} ms (${received.length} received)`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
