import { retry, sleep } from '@constancia/kernel';
import pg from 'pg';

const RETRY_MS = 500;

/** One connection that listens to NOTIFY channels and comes back by itself after the server or the network went away. */
export class Listener {
  private readonly handlers = new Map<string, Set<(payload: string) => void>>();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;
  private reconnecting: Promise<void> | undefined;
  private readonly stop = new AbortController();

  constructor(
    private readonly url: string,
    private readonly applicationName: string,
  ) {}

  get connected(): boolean {
    return this.client !== undefined;
  }

  async listen(channel: string, handler: (payload: string) => void): Promise<{ close(): Promise<void> }> {
    if (!/^[a-z_]{1,63}$/.test(channel)) throw new Error('a channel is named by lower-case letters and underscores');
    const handlers = this.handlers.get(channel) ?? new Set();
    this.handlers.set(channel, handlers.add(handler));
    if (this.client) await this.client.query(`LISTEN ${channel}`);
    else await this.connect().catch(() => this.reconnect());
    return {
      close: async () => {
        handlers.delete(handler);
      },
    };
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.reconnecting;
    await this.connecting?.catch(() => undefined);
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private connect(): Promise<void> {
    this.connecting ??= this.open().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: this.applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
    });
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.handlers.get(channel) ?? []) handler(payload ?? '');
    });
    const lost = () => {
      if (this.client === client) this.client = undefined;
      this.reconnect();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${channel}`);
      this.client = client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  private reconnect(): void {
    const { signal } = this.stop;
    this.reconnecting ??= sleep(RETRY_MS, signal)
      .then(() => retry(() => this.connectUnlessDone(), { pauseMs: () => RETRY_MS, signal }))
      .catch(() => undefined) // closed while the server could not be reached
      .finally(() => (this.reconnecting = undefined));
  }

  private async connectUnlessDone(): Promise<void> {
    if (!this.client && !this.stop.signal.aborted) await this.connect();
  }
}
