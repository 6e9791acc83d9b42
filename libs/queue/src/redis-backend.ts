import { connected, connectRedis, parseRedisAddress, type RedisClient } from '@constancia/redis';
import { Queue, createRedisBackend } from 'bullmq';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { hintOptions, makeWorker } from './backend.ts';
import type { Backend, Hint, HintProcessor, HintQueue, HintWorker, Payload, Producer } from './backend.ts';

const factory = createRedisBackend as unknown as BackendFactory<IQueueBackend, unknown>;
const reconnect = (attempt: number) => Math.min(50 * attempt, 1_000);
const CONNECT_MS = 5_000;
const CLOSE_MS = 500;

/** Where a queue's keys begin, for all that send to it and for its consumer. */
type PrefixOf = (queue: string) => string;
/** BullMQ's own, which every release before Redis Cluster used: modules of two releases exchange messages. */
const ON_A_SERVER: PrefixOf = () => 'bull';
/** The scripts of a queue take many of its keys at once: the tag puts all of them into one slot, and each queue into its own. */
const IN_A_CLUSTER: PrefixOf = (queue) => `{constancia:${queue}}`;

/**
 * Redis 6.2 or newer (or Valkey), a server or a cluster, with `maxmemory-policy noeviction`. A worker holds two connections to a server; in a
 * cluster each of the two is a client with connections to the nodes that it uses, and to one that tells it of changes.
 */
export class RedisBackend implements Backend {
  readonly kind = 'redis';
  private readonly prefixOf: PrefixOf;

  constructor(
    private readonly address: string,
    private readonly app: string,
  ) {
    this.prefixOf = parseRedisAddress(address).kind === 'cluster' ? IN_A_CLUSTER : ON_A_SERVER;
  }

  async openProducer(): Promise<Producer> {
    // Producers fail fast: no offline queue, one attempt. The hint is lost, the sweep finds the work.
    const client = connectRedis(this.address, {
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
      await connected(client, CONNECT_MS);
      await client.ping();
    } catch (error) {
      client.disconnect();
      throw error;
    }
    return new RedisProducer(client, this.prefixOf);
  }

  worker(name: string, processor: HintProcessor, concurrency: number): HintWorker {
    const connection = connectRedis(this.address, {
      connectTimeout: 3_000,
      maxRetriesPerRequest: null,
      retryStrategy: reconnect,
    });
    connection.on('error', () => undefined); // the worker reports what it cannot do
    const worker = makeWorker(name, processor, { concurrency, connection, prefix: this.prefixOf(name) }, factory);
    worker.on('closed', () => connection.disconnect()); // BullMQ closes only the copy that it made
    return worker;
  }
}

class RedisProducer implements Producer {
  private readonly queues = new Map<string, HintQueue>();

  constructor(
    private readonly client: RedisClient,
    private readonly prefixOf: PrefixOf,
  ) {}

  queue(name: string): HintQueue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue<Payload, void, string, Payload, void, string, IQueueBackend, unknown>(
        name,
        {
          connection: this.client,
          prefix: this.prefixOf(name),
          skipVersionCheck: true, // a question that fails while a cluster connects would be remembered; workers ask it
          streams: { events: { maxLen: 100 } },
        },
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
