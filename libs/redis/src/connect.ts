import { endsWithin } from '@constancia/kernel';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { parseRedisAddress } from './address.ts';
import { SettlingCluster } from './settling-cluster.ts';

/** A connection to a server, or the connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** How a client behaves, whatever it is connected to. Options of the same name mean what they mean in ioredis. */
export interface RedisClientOptions extends Pick<
  RedisOptions,
  | 'autoResendUnfulfilledCommands'
  | 'commandTimeout'
  | 'connectTimeout'
  | 'connectionName'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'maxRetriesPerRequest'
  | 'scripts'
> {
  /** Milliseconds until the next attempt to connect. */
  retryStrategy: (attempt: number) => number;
  /** What differs in a cluster. */
  inCluster?: {
    enableOfflineQueue?: boolean;
    /** Milliseconds until a command whose node is gone is sent to the node that has its slot then; 0: it fails at once. */
    retryDelayOnFailover?: number;
  };
}

/** How long a client may believe that a slot is where it was while no command tells it better. */
const SLOTS_REFRESH_MS = 2_000;

/**
 * The one place where clients of Redis are made. `address` is REDIS_URL (see parseRedisAddress). Nodes of a cluster that are given
 * by name stay named, so that certificates can be checked against the names.
 */
export function connectRedis(address: string, { inCluster, ...options }: RedisClientOptions): RedisClient {
  const parsed = parseRedisAddress(address);
  if (parsed.kind === 'server') return new Redis(parsed.url, options);
  const { lazyConnect, scripts, enableOfflineQueue, retryStrategy, ...ofNode } = options;
  const { nodes, username, password, tls } = parsed;
  return new SettlingCluster(nodes, {
    lazyConnect,
    scripts,
    enableOfflineQueue,
    ...inCluster,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    dnsLookup: (host, found) => found(null, host),
    redisOptions: { ...ofNode, username, password, ...(tls && { tls: {} }) },
  });
}

/** Connects a client that was made with `lazyConnect`. Throws when it is not ready within `timeoutMs`. */
export async function connected(client: RedisClient, timeoutMs: number): Promise<void> {
  if (!(await endsWithin(timeoutMs, client.connect()))) throw new Error(`Redis is not ready after ${timeoutMs} ms`);
}

/**
 * Resolves when every server that takes writes answers, each ping within what `inTime` allows; throws when one does not. In a cluster
 * it asks first which these are: a master that is gone counts until a replica has its place. That question is not bounded by
 * `inTime`: the client waits a second for each node that does not answer.
 */
export async function pingMasters(
  client: RedisClient,
  inTime: (ping: Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  if (!(client instanceof Cluster)) return void (await inTime(client.ping()));
  await new Promise<void>((resolve, reject) => {
    client.refreshSlotsCache((error) => (error ? reject(error) : resolve()));
  });
  const masters = client.nodes('master');
  if (masters.length === 0) throw new Error('no master of the cluster is known');
  await Promise.all(masters.map((master) => inTime(master.ping())));
}
