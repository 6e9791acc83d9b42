import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, migrate, type ModuleSchema, ownerRole, urlFor } from '@constancia/persistence';
import { reachableDataFolder, startPostgres } from '@constancia/dev-servers/embedded-postgres';
import { killAll, prepareStandby, promote, untilStreaming } from './replication.ts';
import { isAlive, removeLeftOvers, testFolder } from './test-folders.ts';

/** Every role has the same password here: the cluster lives on loopback for the length of a test run. */
export const TEST_PASSWORD = 'for-tests-only';
export const TEMPLATE_DATABASE = 'constancia_template';

/** Below the ports that the system gives to `listen(0)` and to connections: what stops and starts again finds its port free. */
const LOWEST_PORT = 11_000;
const HIGHEST_PORT = 19_999;

/** Ports that were given out last: the caller listens on one some time later. */
const given = new Set<number>();
const REMEMBERED = 1_000;

/** A port that nothing listens on at this moment, and that was not given out a moment ago. */
export async function freePort(): Promise<number> {
  let port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
  while (given.has(port) || !(await isFree(port))) port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
  given.add(port);
  const [oldest] = given;
  if (given.size > REMEMBERED && oldest !== undefined) given.delete(oldest);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A PostgreSQL server of one's own, on loopback, in a temporary folder. After `failOver` it is what its standby was. */
export interface Cluster {
  /** Superuser address of the database `postgres`. */
  readonly adminUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Whether the server's first process is there. */
  readonly running: boolean;
  /** Stops the server (fast shutdown) and starts it again on the same port and data. */
  restart(pauseMs?: number): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
  /** Stops the server, keeps its data. `start` brings it back. */
  stop(): Promise<void>;
  /** Copies the data to a folder, for `copyOf`, unless that is there already. The server stops for it. */
  copyTo(folder: string): Promise<void>;
  /** kill -9 of the server's first process; the others end when they notice. */
  kill(): void;
  start(): Promise<void>;
  /** Gives the server a standby that follows by streaming replication. The server stops while its data is copied. */
  addStandby(options?: StandbyOptions): Promise<void>;
  /** The standby, once it was added and until it takes the server's place. */
  readonly standby: Standby | undefined;
  /** kill -9 of all processes of the server; its standby takes its place. */
  failOver(): Promise<void>;
}

/** A server that follows another one. */
export interface Standby {
  /** Superuser address of the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface StandbyOptions {
  /** Whether a commit is answered only when the standby has it on its disk; the default. */
  synchronous?: boolean;
  /** Puts something of the caller's between the standby and the server. */
  between?: (url: string) => Promise<string>;
}

export interface ClusterOptions {
  /** Commits reach the disk; false (the default) switches fsync off. */
  durable?: boolean;
  /** The folder with the bin/ of another server than npm's. */
  native?: string;
  /** The data to begin with: what `copyTo` made. */
  copyOf?: string;
  /** Where the folder of its data is made; the temporary folder by default. */
  within?: string;
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  await removeLeftOvers();
  let server = await Server.at(options);
  if (options.copyOf !== undefined) copyData(options.copyOf, server.folder);
  await server.start();
  let standby: Server | undefined;
  const cluster: Cluster = {
    get adminUrl() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    get pid() {
      return server.pid;
    },
    get standby() {
      return standby;
    },
    get running() {
      return isAlive(server.pid);
    },
    stop: () => server.stop(),
    kill: () => void process.kill(server.pid, 'SIGKILL'),
    start: () => server.start(),
    async restart(pauseMs = 0) {
      await server.stop();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await server.start();
    },
    async copyTo(target) {
      await server.stop();
      copyData(server.folder, target);
      await server.start();
    },
    async addStandby({ synchronous = true, between = (url: string) => Promise.resolve(url) } = {}) {
      standby = await Server.at(options);
      await cluster.copyTo(standby.folder);
      await prepareStandby(server.url, standby.folder, await between(server.url));
      await standby.start();
      await untilStreaming(server.url, synchronous);
    },
    async failOver() {
      if (!standby) throw new Error('the server has no standby');
      killAll(server.pid);
      await promote(standby.url);
      await server.remove();
      [server, standby] = [standby, undefined];
    },
    async remove() {
      await standby?.remove();
      await server.remove();
    },
  };
  return cluster;
}

/** One server with its data, whether others follow it or not. */
class Server {
  private running: Awaited<ReturnType<typeof startPostgres>> | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly options: ClusterOptions,
  ) {}

  static async at(options: ClusterOptions): Promise<Server> {
    return new Server(reachableDataFolder(path.join(testFolder(options.within), 'data')), await freePort(), options);
  }

  private get logFile(): string {
    return path.join(os.tmpdir(), `constancia-test-${this.port}.log`);
  }

  get url(): string {
    return `postgres://postgres:${TEST_PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.running?.pid as number;
  }

  async start(): Promise<void> {
    const { durable = false, native } = this.options;
    this.running = await startPostgres({
      dataDir: this.folder,
      port: this.port,
      password: TEST_PASSWORD,
      logFile: this.logFile,
      durable,
      ...(native !== undefined && { native }),
    });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(path.dirname(this.folder), { recursive: true, force: true });
    fs.rmSync(this.logFile, { force: true });
  }
}

/** Copies a folder with its owner and modes, as a whole or not at all. One that is there already stays as it is. */
export function copyData(from: string, to: string): void {
  const staging = `${to}.${randomUUID()}`;
  fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o711 });
  const { status, stderr } = spawnSync('cp', ['-a', from, staging], { encoding: 'utf8' });
  try {
    if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`);
    fs.renameSync(staging, to);
  } catch (error) {
    fs.rmSync(staging, { recursive: true, force: true });
    if (!fs.existsSync(to)) throw error; // else somebody else was first
  }
}

/** Makes roles and schemas in a database and brings every module up to date. */
export async function prepareDatabase(
  adminUrl: string,
  modules: ModuleSchema[],
  migrateQueue: (url: string) => Promise<void>,
): Promise<void> {
  await bootstrap(adminUrl, () => TEST_PASSWORD);
  for (const module of modules) await migrate(urlFor(adminUrl, ownerRole(module.schema), TEST_PASSWORD), module);
  await migrateQueue(urlFor(adminUrl, 'queue_app', TEST_PASSWORD));
}
