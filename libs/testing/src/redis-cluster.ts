import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './cluster.ts';
import { RedisNode } from './redis.ts';
import { testFolder } from './test-folders.ts';

const MASTERS = 3;
const REPLICAS = 1;
/** After so long without an answer a node counts as gone; its replica is a master about as much later. */
const NODE_TIMEOUT_MS = 1_500;
const PASSWORD = 'of-the-cluster';

/** A node as CLUSTER NODES describes it. */
export interface ClusterNode {
  id: string;
  port: number;
  master: boolean;
  failed: boolean;
  slots: [first: number, last: number][];
}

/** Six redis-server processes on loopback: three masters with a replica each, without persistence, with a password. */
export interface TestRedisCluster {
  /** REDIS_URL: two of the nodes; the others are found by them. */
  url: string;
  ports: readonly number[];
  nodes(): Promise<ClusterNode[]>;
  /** The slot of a key. */
  slotOf(key: string): Promise<number>;
  masterOf(slot: number): Promise<ClusterNode>;
  /** The answer of one node to a command. */
  ask(port: number, ...command: string[]): Promise<string>;
  /** Moves a slot to another master, key by key; `halfway` runs when half of its keys are there. Answers the new master. */
  moveSlot(slot: number, halfway?: () => Promise<unknown>): Promise<ClusterNode>;
  /** kill -9 of the master of a slot. Resolves with its port when a replica has its place. */
  failOver(slot: number): Promise<number>;
  /** kill -9 of a node. */
  kill(port: number): Promise<void>;
  /** Brings a killed node back, empty; it becomes a replica of the master that has its slots. */
  revive(port: number): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. SIGCONT lets it go on. */
  signal(port: number, name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when every slot has a master that answers, every other node follows one, and all know. */
  whole(): Promise<void>;
  /** FLUSHALL on every master. */
  wipe(): Promise<void>;
  /** Ends all nodes and removes their folders. */
  remove(): Promise<void>;
}

/** The slot of a queue's keys, as libs/queue names them. Throws when there is none of them. */
export async function slotOfQueue(cluster: TestRedisCluster, queue: string): Promise<number> {
  const slot = await cluster.slotOf(`{constancia:${queue}}:${queue}:meta`);
  const { port } = await cluster.masterOf(slot);
  if (Number(await cluster.ask(port, 'cluster', 'countkeysinslot', String(slot))) === 0)
    throw new Error(`the slot ${slot} of the queue ${queue} has no keys`);
  return slot;
}

export interface RedisClusterOptions {
  /** Files of a certificate for 127.0.0.1, signed by itself, and of its key: every connection is encrypted then. */
  tls?: { cert: string; key: string };
}

/** Starts a cluster on free ports. Takes some seconds. */
export async function startRedisCluster({ tls }: RedisClusterOptions = {}): Promise<TestRedisCluster> {
  const folder = testFolder();
  const redisCli = (...command: string[]) => runRedisCli(tls ? ['--tls', '--cacert', tls.cert, ...command] : command);
  const processes = new Map<number, RedisNode>();
  while (processes.size < MASTERS * (1 + REPLICAS)) {
    const port = await freePort();
    processes.set(port, new RedisNode(folder, port, settings(port, await freePort(), tls)));
  }
  const ports = [...processes.keys()];
  const processAt = (port: number) => processes.get(port) as RedisNode;
  const running = () => ports.filter((port) => processAt(port).running);
  const ask = (port: number, ...command: string[]) => redisCli('-p', String(port), ...command);
  const someone = (...command: string[]) => ask(running()[0] as number, ...command);

  const keysIn = async (slot: number, port: number): Promise<string[]> =>
    (await ask(port, 'cluster', 'getkeysinslot', String(slot), '10000')).split('\n').filter((key) => key !== '');
  const migrate = async (keys: string[], from: number, to: number): Promise<void> => {
    if (keys.length === 0) return;
    const options = ['0', '5000', 'REPLACE', 'AUTH', PASSWORD, 'KEYS', ...keys];
    await ask(from, 'migrate', '127.0.0.1', String(to), '', ...options);
  };
  /** Whether a node sees all slots served, and itself serves slots or follows a master. */
  const standing = async (port: number): Promise<boolean> => {
    const info = await ask(port, 'cluster', 'info');
    if (!/cluster_state:ok/.test(info) || !/cluster_slots_ok:16384/.test(info)) return false;
    const role = await ask(port, 'info', 'replication');
    if (/role:slave/.test(role)) return /master_link_status:up/.test(role);
    return /myself.* connected .*\d/.test(await ask(port, 'cluster', 'nodes'));
  };

  const cluster: TestRedisCluster = {
    url: ports.slice(0, 2).map((port) => `${tls ? 'rediss' : 'redis'}://:${PASSWORD}@127.0.0.1:${port}`).join(','), // prettier-ignore
    ports,
    ask,
    nodes: async () => (await someone('cluster', 'nodes')).trim().split('\n').map(nodeOf),
    slotOf: async (key) => Number(await someone('cluster', 'keyslot', key)),
    async masterOf(slot) {
      const all = await cluster.nodes();
      const found = all.find(({ slots, failed }) => !failed && slots.some(([from, to]) => from <= slot && slot <= to));
      if (!found) throw new Error(`slot ${slot} has no master`);
      return found;
    },
    async moveSlot(slot, halfway) {
      const from = await cluster.masterOf(slot);
      const to = (await cluster.nodes()).find(({ id, master, slots }) => master && slots.length > 0 && id !== from.id);
      if (!to) throw new Error('no other master takes the slot');
      await ask(to.port, 'cluster', 'setslot', String(slot), 'importing', from.id);
      await ask(from.port, 'cluster', 'setslot', String(slot), 'migrating', to.id);
      const keys = await keysIn(slot, from.port);
      await migrate(keys.slice(0, Math.ceil(keys.length / 2)), from.port, to.port);
      await halfway?.();
      for (let left = await keysIn(slot, from.port); left.length > 0; left = await keysIn(slot, from.port))
        await migrate(left, from.port, to.port);
      for (const { port } of [to, from]) await ask(port, 'cluster', 'setslot', String(slot), 'node', to.id);
      return to;
    },
    async failOver(slot) {
      const { id, port } = await cluster.masterOf(slot);
      await cluster.kill(port);
      for (const deadline = Date.now() + 30_000; ; await pause(100)) {
        const now = await cluster.masterOf(slot).catch(() => undefined);
        if (now && now.id !== id) return port;
        if (Date.now() > deadline) throw new Error(`no replica took the place of the master of slot ${slot}`);
      }
    },
    kill: (port) => processAt(port).end('SIGKILL'),
    revive: (port) => processAt(port).start(),
    signal: (port, name) => processAt(port).signal(name),
    async whole() {
      for (const deadline = Date.now() + 30_000; ; await pause(100)) {
        const states = await Promise.all(running().map(standing)).catch(() => [false]);
        if (states.every(Boolean)) return;
        if (Date.now() > deadline) throw new Error('the cluster of Redis did not become whole');
      }
    },
    async wipe() {
      const masters = (await cluster.nodes()).filter(({ master, failed }) => master && !failed);
      await Promise.all(masters.map(({ port }) => ask(port, 'flushall')));
    },
    async remove() {
      await Promise.all(ports.map((port) => cluster.kill(port)));
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(ports.map(cluster.revive));
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await redisCli('--cluster', 'create', ...addresses, '--cluster-replicas', String(REPLICAS), '--cluster-yes');
    await cluster.whole();
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

/** A node that was killed comes back as who it was: its folder has what it knows of the cluster. */
function settings(port: number, busPort: number, tls: RedisClusterOptions['tls']): Record<string, string | number> {
  return {
    ...(tls && {
      port: 0,
      'tls-port': port,
      'tls-cluster': 'yes',
      'tls-replication': 'yes',
      'tls-auth-clients': 'no',
      'tls-cert-file': tls.cert,
      'tls-key-file': tls.key,
      'tls-ca-cert-file': tls.cert,
    }),
    'cluster-port': busPort,
    'cluster-config-file': `nodes-${port}.conf`,
    requirepass: PASSWORD,
    masterauth: PASSWORD,
    'cluster-enabled': 'yes',
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    'repl-diskless-sync-delay': 0,
  };
}

async function runRedisCli(command: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], REDISCLI_AUTH: PASSWORD };
  const { stdout } = await promisify(execFile)('redis-cli', command, { env, timeout: 30_000 });
  if (/^(\(error\)|ERR|MOVED|CLUSTERDOWN|NOAUTH|WRONGPASS)/.test(stdout)) throw new Error(stdout.trim());
  return stdout;
}

function nodeOf(line: string): ClusterNode {
  const [id = '', address = '', flags = '', , , , , , ...slots] = line.split(' ');
  return {
    id,
    port: Number(/:(\d+)@/.exec(address)?.[1]),
    master: flags.includes('master'),
    failed: /fail(?!\?)/.test(flags),
    slots: slots
      .filter((range) => !range.startsWith('['))
      .map((range) => range.split('-').map(Number))
      .map(([first = 0, last = first]) => [first, last]),
  };
}
