/** Processes and ports as the operating system sees them: who is who after a pid was used again, and who listens where. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

const hasProc = fs.existsSync('/proc/self/stat');

/**
 * When a process began, in a form that only serves comparison; null when there is no such process (a zombie is none).
 * A pid alone proves nothing: after a crash it may belong to a stranger.
 */
export function startTime(pid) {
  try {
    if (!hasProc) return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : fields[19];
  } catch {
    return null;
  }
}

/** What identifies a process for good. */
export const identityOf = (pid) => ({ pid, started: startTime(pid) });

/** Whether the very process that was recorded is still there. */
export const lives = (identity) =>
  identity?.pid > 0 && identity.started !== null && startTime(identity.pid) === identity.started;

/** Sends a signal to a recorded process, never to a stranger that has its pid now. */
export function signal(identity, name) {
  if (!lives(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // it ended in between
  }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a recorded process is gone; answers whether it is. */
export async function gone(identity, timeoutMs) {
  for (const deadline = Date.now() + timeoutMs; lives(identity); await pause(20)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

/** Ends a recorded process: asks, waits, then kills. */
export async function end(identity, { ask = 'SIGTERM', patienceMs }) {
  signal(identity, ask);
  if (await gone(identity, patienceMs)) return;
  signal(identity, 'SIGKILL');
  await gone(identity, 5_000);
}

/** Whether nobody listens on a loopback port. */
export async function isFree(port) {
  const answers = await new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    setTimeout(() => socket.destroy(), 1_000).unref();
  });
  if (answers) return false;
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that nobody uses: the wanted one if it is free. */
export async function freePort(wanted) {
  if (await isFree(wanted)) return wanted;
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

function listeningInodes(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(1) : [],
  );
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(fields.filter((f) => f[1]?.endsWith(`:${hex}`) && f[3] === '0A').map((f) => `socket:[${f[9]}]`));
}

function holdsOne(pid, inodes) {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return inodes.has(fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

/** Whether this process is the one that listens on the port. Where the system does not tell (no /proc): true. */
export function listensItself(pid, port) {
  return hasProc ? holdsOne(pid, listeningInodes(port)) : true;
}

/** Who listens on a port, as words for a person; '' when the system does not tell. */
export function holderOf(port) {
  if (!hasProc) return '';
  const inodes = listeningInodes(port);
  const pid = fs.readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsOne(name, inodes));
  if (pid === undefined) return '';
  const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim().slice(0, 80);
  return ` by process ${pid} (${command})`;
}
