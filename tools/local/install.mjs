/** What must be there before anything starts: the dependencies that the lock file names, and bundles of these sources. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE, readJson } from './places.mjs';
import { LaunchError } from './launch-error.mjs';

/**
 * Whether node_modules is what package-lock.json says, by npm's own record of what it installed (written last, so an
 * interrupted installation has none). Packages for other platforms may be absent.
 */
export function isInstalled() {
  const wanted = readJson(path.join(WORKSPACE, 'package-lock.json'))?.packages;
  const there = readJson(path.join(WORKSPACE, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !there) return false;
  const inside = Object.entries(wanted).filter(([place]) => place.startsWith('node_modules/'));
  const same = (a, b) => a.version === b?.version && a.resolved === b?.resolved && a.integrity === b?.integrity;
  return (
    inside.every(([place, item]) =>
      place in there ? same(item, there[place]) : item.optional || item.devOptional || item.peer,
    ) && Object.keys(there).every((place) => place in wanted)
  );
}

let running = null;

/** Ends an installation or a build that is under way: the launcher was stopped. */
export function interruptInstall() {
  running?.kill('SIGTERM');
}

function run(command, args, logFile) {
  return new Promise((resolve) => {
    const log = fs.openSync(logFile, 'w');
    const child = spawn(command, args, {
      cwd: WORKSPACE,
      stdio: ['ignore', log, log],
      shell: process.platform === 'win32',
    });
    running = child;
    fs.closeSync(log);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => (running = null));
    child.once('exit', (code) => resolve(code === 0 ? null : tail(logFile, 6)));
  });
}

/** The last lines of a log, on one line. */
export function tail(logFile, lines = 4) {
  const text = fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').trim() : '';
  return text.split('\n').slice(-lines).join(' | ').slice(-800);
}

/** npm ci. Takes npm from where this Node has it, so that a launcher started by "node" works as well as one by "npm". */
export async function install(logFile) {
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  const failure = await run(command, [...args, '--no-audit', '--no-fund'], logFile);
  if (failure !== null) {
    throw new LaunchError(
      `npm ci failed (${failure}). Check that the npm registry can be reached; the whole output is in ${logFile}.`,
    );
  }
}

/** npm run build. */
export async function build(logFile) {
  const failure = await run(process.execPath, [path.join(WORKSPACE, 'tools/build/build.mjs')], logFile);
  if (failure !== null) throw new LaunchError(`The build failed (${failure}). The whole output is in ${logFile}.`);
}
