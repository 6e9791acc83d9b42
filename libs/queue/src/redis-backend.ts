import { Queue, createRedisBackend } from 'bullmq';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { hintOptions, makeWorker } from './backend.ts';
import type { Backend, Hint, HintProcessor, HintQueue, HintWorker, Payload, Producer } from './backend.ts';

const factory = createRedisBackend as unknown as BackendFactory<IQueueBackend, unknown>;
const reconnect = (attempt: number) => Math.min(50 * attempt, 1_000);
const CLOSE_MS = 500;

/** Redis 6.2 or newer (or Valkey) with `maxmemory-policy noeviction`. A worker holds two connections. */
export class RedisBackend implements Backend {
  readonly kind = 'redis';

  constructor(
    private readonly url: string,
    private readonly app: string,
  ) {}

  async openProducer(): Promise<Producer> {
    // Producers fail fast: no offline queue, one attempt. The hint is lost, the sweep finds the work.
    const client = new Redis(this.url, {
      connectionName: `${this.app}:hints`,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      connectTimeout: 3_000,
      commandTimeout: 5_000,
      retryStrategy: reconnect,
    });
    client.on('error', () => undefined); // every lost hint is counted where it was sent
    try {
      await client.connect();
      await client.ping();
    } catch (error) {
      client.disconnect();
      throw error;
    }
    return new RedisProducer(client);
  }

  worker(name: string, processor: HintProcessor, concurrency: number): HintWorker {
    const connection = {
      url: this.url,
      connectTimeout: 3_000,
      maxRetriesPerRequest: null,
      retryStrategy: reconnect,
    };
    return makeWorker(name, processor, concurrency, connection, factory);
  }
}

class RedisProducer implements Producer {
  private readonly queues = new Map<string, HintQueue>();

  constructor(private readonly client: Redis) {}

  queue(name: string): HintQueue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue<Payload, void, string, Payload, void, string, IQueueBackend, unknown>(
        name,
        { connection: this.client, streams: { events: { maxLen: 100 } } },
        factory,
      );
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }

  async send(name: string, hints: Hint[]): Promise<void> {
    // Not addBulk: its pipeline trusts a script cache that a restarted Redis does not have.
    const queue = this.queue(name);
    await Promise.all(hints.map(({ message, dedupId }) => queue.add('hint', message, hintOptions(dedupId))));
  }

  async ping(): Promise<void> {
    await this.client.ping();
  }

  async close(): Promise<void> {
    const quitting = this.client.quit().catch(() => undefined);
    const timer = setTimeout(() => this.client.disconnect(), CLOSE_MS);
    await quitting;
    clearTimeout(timer);
    this.client.disconnect();
  }
}
