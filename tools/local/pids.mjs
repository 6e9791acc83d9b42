/** The record of what this stack started, kept on disk as it happens: a launcher that was killed leaves it for the next one. */
import fs from 'node:fs';
import { PLACES, readJson, writePrivate } from './places.mjs';
import { end, identityOf, lives } from './processes.mjs';
import { LaunchError } from './launch-error.mjs';

/** @type {Record<string, { pid: number, started: string | null }>} */
let children = {};

/** Records a child by name, at once. */
export function record(name, pid) {
  children[name] = identityOf(pid);
  writePrivate(PLACES.pids, children);
}

/** Pids by name, as stack.json shows them. */
export const pids = () => Object.fromEntries(Object.entries(children).map(([name, { pid }]) => [name, pid]));

/** Forgets all: everything was stopped. */
export function forget() {
  children = {};
  fs.rmSync(PLACES.pids, { force: true });
}

/** The launcher that runs this checkout's stack now, or null. */
export function runningLauncher() {
  const holder = readJson(PLACES.lock);
  return lives(holder) ? holder : null;
}

/** Makes this process the one launcher of this checkout. @throws LaunchError when another one is at work */
export function takeLock(portBase) {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      fs.writeFileSync(PLACES.lock, JSON.stringify({ ...identityOf(process.pid), portBase }), {
        flag: 'wx',
        mode: 0o600,
      });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const other = runningLauncher();
      if (other) throw alreadyRuns(other);
      fs.rmSync(PLACES.lock, { force: true });
    }
  }
}

export const alreadyRuns = (launcher) =>
  new LaunchError(
    `This checkout's stack already runs (process ${launcher.pid}, platform on http://127.0.0.1:${launcher.portBase}): end it with "npm run stop".`,
  );

export const dropLock = () => fs.rmSync(PLACES.lock, { force: true });

/** Ends what a killed launcher left behind; answers the names. PostgreSQL goes last: the apps may still write. */
export async function reapOrphans() {
  const left = Object.entries(readJson(PLACES.pids) ?? {}).filter(([, identity]) => lives(identity));
  const servers = ['postgres', 'kms', 'mailbox', 'payments'];
  await Promise.all(left.filter(([name]) => !servers.includes(name)).map(([, one]) => end(one, { patienceMs: 5_000 })));
  for (const [name, one] of left.filter(([name]) => servers.includes(name))) {
    await end(one, { ask: name === 'postgres' ? 'SIGINT' : 'SIGTERM', patienceMs: 10_000 });
  }
  fs.rmSync(PLACES.pids, { force: true });
  return left.map(([name]) => name);
}
