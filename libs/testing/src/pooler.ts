import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { appRole, SCHEMAS } from '@constancia/persistence';
import { freePort, TEST_PASSWORD } from './cluster.ts';
import { eventually } from './eventually.ts';
import { ServerProcess } from './server-process.ts';
import { testFolder } from './test-folders.ts';

const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;
/** Whether pgbouncer is there. */
export const poolerInstalled = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;
export const NO_POOLER = 'skipped: pgbouncer is not on PATH';
/** Whether this run of tests is the one through a pooler. */
export const poolerWanted = process.env.TEST_POOLER === '1';
/** Connections to the server for each database and role in that run: some tests hold a dozen transactions open at once. */
export const POOL_OF_TESTS = 20;
const NOBODY = 65534;

export interface PoolerOptions {
  /** Superuser address of the server. */
  serverUrl: string;
  /** Connections to the server, at most: for each database and role. */
  poolSize: number;
  /** How long a statement waits for one of them; default 10 s. */
  waitSeconds?: number;
  /** Other settings than those of tests. `users`: the file with the roles. */
  configuration?: (of: { port: number; users: string }) => string;
}

/** A pgbouncer in transaction mode on loopback, in front of a server: for the app roles, and no other. */
export interface Pooler {
  port: number;
  /** The address of a database of the server, through the pooler. */
  through(url: string): string;
  /** SIGINT: what is under way ends, then it stops. */
  drain(): Promise<void>;
  /** SIGHUP: it reads its settings and certificates again. */
  reload(): void;
  /** kill -9: every connection breaks. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const ROLES = SCHEMAS.map(appRole);

function configuration({ serverUrl, poolSize, waitSeconds = 10 }: PoolerOptions, port: number, folder: string): string {
  const server = new URL(serverUrl);
  return [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    `query_wait_timeout = ${waitSeconds}`,
    'server_login_retry = 1',
    'auth_type = scram-sha-256',
    `auth_file = ${folder}/users`,
    `logfile = ${folder}/pooler.log`,
    'log_connections = 0',
    'log_disconnections = 0',
    '',
  ].join('\n');
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

/** Starts one. As root it runs as "nobody", for it refuses root. */
export async function startPooler(options: PoolerOptions): Promise<Pooler> {
  const port = await freePort();
  const folder = testFolder();
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  fs.mkdirSync(folder, { mode: 0o700 });
  const users = path.join(folder, 'users');
  const text = options.configuration?.({ port, users }) ?? configuration(options, port, folder);
  fs.writeFileSync(path.join(folder, 'pooler.ini'), text, { mode: 0o644 });
  fs.writeFileSync(users, ROLES.map((role) => `"${role}" "${TEST_PASSWORD}"\n`).join(''), { mode: 0o644 });
  if (identity.uid !== undefined) fs.chownSync(folder, NOBODY, NOBODY);
  const server = new ServerProcess('pgbouncer', folder);
  const pooler: Pooler = {
    port,
    through(url) {
      const address = new URL(url);
      address.hostname = '127.0.0.1';
      address.port = String(port);
      return address.toString();
    },
    reload: () => server.signal('SIGHUP'),
    drain: () => server.end('SIGINT'),
    kill: () => server.end('SIGKILL'),
    start: () =>
      server.start(['-q', path.join(folder, 'pooler.ini')], () => eventually(() => answers(port)), {
        ...identity,
        env: { PATH },
        stdio: 'ignore',
      }),
    async remove() {
      await server.end('SIGKILL');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  await pooler.start();
  return pooler;
}
