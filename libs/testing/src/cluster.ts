import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, migrate, type ModuleSchema, ownerRole, urlFor } from '@constancia/persistence';
import { reachableDataFolder, startPostgres, stopOrphan } from '@constancia/dev-servers/embedded-postgres';

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

/** A PostgreSQL server of one's own, on loopback, in a temporary folder. */
export interface Cluster {
  /** Superuser address of the database `postgres`. */
  adminUrl: string;
  port: number;
  pid: number;
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
}

/** Folders of the servers of a run begin with it, and with the id of its process. */
export const TEST_FOLDER_PREFIX = 'constancia-test-';

/** Ends and removes the servers of test runs that were killed: their folder names the process that made them. */
async function removeLeftOvers(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const maker = Number(new RegExp(`^${TEST_FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(maker) || isAlive(maker)) continue;
    const folder = path.join(os.tmpdir(), name);
    await stopOrphan(path.join(folder, 'data'));
    stopPooler(folder);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends a pooler (pooler.ts) that a killed run left behind. */
function stopPooler(folder: string): void {
  const file = path.join(folder, 'pooler.pid');
  if (!fs.existsSync(file)) return;
  const pid = Number(fs.readFileSync(file, 'utf8'));
  if (fs.existsSync(`/proc/${pid}`) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder))
    process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
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
  const folder = reachableDataFolder(
    path.join(options.within ?? os.tmpdir(), `${TEST_FOLDER_PREFIX}${process.pid}-${randomUUID()}`, 'data'),
  );
  if (options.copyOf !== undefined) copyData(options.copyOf, folder);
  const port = await freePort();
  const logFile = path.join(os.tmpdir(), `constancia-test-${port}.log`);
  const run = () =>
    startPostgres({
      dataDir: folder,
      port,
      password: TEST_PASSWORD,
      logFile,
      durable: options.durable ?? false,
      ...(options.native !== undefined && { native: options.native }),
    });
  let server = await run();
  const cluster: Cluster = {
    adminUrl: server.url,
    port,
    get pid() {
      return server.pid;
    },
    get running() {
      return isAlive(server.pid);
    },
    stop: () => server.stop(),
    kill: () => void process.kill(server.pid, 'SIGKILL'),
    async start() {
      server = await run();
    },
    async restart(pauseMs = 0) {
      await server.stop();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      server = await run();
    },
    async copyTo(target) {
      await server.stop();
      copyData(folder, target);
      server = await run();
    },
    async remove() {
      await server.stop();
      fs.rmSync(path.dirname(folder), { recursive: true, force: true });
      fs.rmSync(logFile, { force: true });
    },
  };
  return cluster;
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
