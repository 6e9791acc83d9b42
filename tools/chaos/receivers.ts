import type http from 'node:http';
import type { EventModule } from '@constancia/contracts';
import { type ReceivedDelivery, type SinkBehaviour, webhookSink, type WebhookSink } from '@constancia/testing';

/** What a receiver does wrong. */
export const FAILINGS = ['500', 'hang', 'reset', 'slow drip', '301'] as const;
export type Failing = (typeof FAILINGS)[number];

const BEHAVIOUR: Record<Failing, SinkBehaviour> = {
  '500': (response) => response.writeHead(500).end('no'),
  hang: () => undefined,
  reset: (response) => void response.socket?.resetAndDestroy(),
  'slow drip': (response) => drip(response),
  '301': (response) => response.writeHead(301, { Location: 'http://127.0.0.1:9/elsewhere' }).end(),
};

/** One byte of an answer that never ends, four times a second. */
function drip(response: http.ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), 250);
  response.on('close', () => clearInterval(timer));
}

/** The receiver of a tenant's events of all modules, which can fail on command. */
export class TenantReceiver {
  private constructor(private readonly server: WebhookSink) {}

  static async start(): Promise<TenantReceiver> {
    return new TenantReceiver(await webhookSink());
  }

  urlOf(module: EventModule): string {
    return `${this.server.url}/${module}`;
  }

  get received(): readonly ReceivedDelivery[] {
    return this.server.received;
  }

  fail(how: Failing): void {
    this.server.behave(BEHAVIOUR[how]);
  }

  heal(): void {
    this.server.behave((response) => response.writeHead(204).end());
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
