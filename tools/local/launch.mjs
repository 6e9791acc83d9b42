/** The launcher behind "npm start": what happens in which order, and how it ends. */
import fs from 'node:fs';
import path from 'node:path';
import { outdated } from '../build/sources.mjs';
import { check } from './check.mjs';
import { detach } from './detach.mjs';
import { USAGE, readFlags } from './flags.mjs';
import { build, install, interruptInstall, isInstalled } from './install.mjs';
import { say, step } from './narrator.mjs';
import { DEFAULT_PORT_BASE, PLACES, STATE, makeState, portsFrom, readJson, writePrivate } from './places.mjs';
import { alreadyRuns, dropLock, reapOrphans, runningLauncher, takeLock } from './pids.mjs';
import { removeData } from './postgres-server.mjs';
import { refuseUnusablePorts } from './ports.mjs';
import { showStack } from './show-stack.mjs';
import { Stack } from './stack.mjs';
import { LaunchError } from './launch-error.mjs';

/** A key press is delivered twice under npm (terminal and npm both signal): only a later one means "now". */
const SAME_KEY_PRESS_MS = 700;

/** @param {string[]} args of the command line */
export async function main(args) {
  try {
    const flags = readFlags(args);
    if (flags.help) return console.log(USAGE);
    makeState();
    const running = runningLauncher();
    if (running) return await useRunning(running, flags);
    if (flags.detach && !process.env.CONSTANCIA_BACKGROUND) return await detach(args);
    await launch(flags);
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  say('');
  say(
    error instanceof LaunchError
      ? error.message
      : `Something that the launcher does not know went wrong: ${error.stack}`,
  );
  process.exitCode = error.exitCode ?? 1;
}

/** A stack of this checkout runs already: a check can use it, everything else cannot. */
async function useRunning(running, { check: wanted, fresh, portBase }) {
  if (!wanted || fresh || (portBase !== null && portBase !== running.portBase)) throw alreadyRuns(running);
  const stack = readJson(PLACES.stack);
  if (stack?.pids?.launcher !== running.pid)
    throw new LaunchError("This checkout's stack is just starting: try again when it is ready.");
  say(`A stack of this checkout already runs (process ${running.pid}): checking that one, and leaving it on.\n`);
  process.exitCode = (await checked(stack)) ? 0 : 1;
}

async function checked(stack) {
  try {
    await check(stack, step);
    say('\nCheck passed.');
    return true;
  } catch (error) {
    say(`\nCheck failed: ${error.message}`);
    say(`The logs are in ${PLACES.logs}`);
    return false;
  }
}

async function launch(flags) {
  const from = performance.now();
  const portBase = flags.portBase ?? DEFAULT_PORT_BASE;
  const ports = portsFrom(portBase);
  takeLock(portBase);
  const stack = new Stack(ports);
  const ended = endOnSignals(stack);
  try {
    say(`Constancia, on Node ${process.versions.node}\n`);
    const left = await reapOrphans();
    if (left.length > 0) say(`  Ended what an interrupted start left behind: ${left.join(', ')}`);
    await refuseUnusablePorts(ports);
    if (flags.fresh) removeState();
    if (!isInstalled()) await step('Dependencies (npm ci)', () => install(path.join(PLACES.logs, 'install.log')));
    if (outdated().length > 0) await step('Build', () => build(path.join(PLACES.logs, 'build.log')));
    const up = await stack.up();
    if (!flags.check) {
      showStack(up, performance.now() - from);
      if (process.env.CONSTANCIA_BACKGROUND && process.connected) {
        process.send({ ready: true });
        process.disconnect();
      }
      return await ended.forever;
    }
    say(`\nReady after ${((performance.now() - from) / 1000).toFixed(1)} s. Checking the main job:\n`);
    const passed = await checked(up);
    await ended.end(passed ? 0 : 1);
  } catch (error) {
    if (ended.began()) return await ended.forever;
    fail(error);
    await ended.end(process.exitCode);
  }
}

/**
 * --fresh: everything but the logs, the images of tools/image-check and the Node versions of tools/nodes, which are no data of the stack. With a database of the
 * caller's, its keys stay: they open what is stored there.
 */
function removeState() {
  removeData();
  const external = Boolean(process.env.DATABASE_URL);
  if (external)
    say('  --fresh leaves the database of DATABASE_URL as it is: drop it yourself to begin with an empty one.');
  for (const entry of fs.readdirSync(STATE)) {
    const keep = [
      'logs',
      'image-check',
      'nodes',
      path.basename(PLACES.lock),
      ...(external ? [path.basename(PLACES.secrets)] : []),
    ];
    if (!keep.includes(entry)) fs.rmSync(path.join(STATE, entry), { recursive: true, force: true });
  }
  makeState();
}

/** Ctrl-C, "npm run stop" or a closed terminal end the stack in order; a second Ctrl-C ends it now. */
function endOnSignals(stack) {
  let beganAt = null;
  /** @type {(value?: unknown) => void} */
  let finish = () => undefined;
  const forever = new Promise((resolve) => (finish = resolve));
  const end = async (code) => {
    beganAt ??= performance.now();
    interruptInstall();
    await stack.down();
    const written = readJson(PLACES.stack);
    if (written) writePrivate(PLACES.stack, { ...written, pids: {} });
    dropLock();
    finish();
    process.exit(code);
  };
  const onSignal = (name) => {
    if (beganAt === null) {
      say('\nStopping: the apps finish what they hold, then the servers end. Ctrl-C again ends everything now.');
      void end(0)
        .catch(fail)
        .finally(() => process.exit());
    } else if (name === 'SIGINT' && performance.now() - beganAt > SAME_KEY_PRESS_MS) {
      stack.kill();
      dropLock();
      process.exit(130);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => onSignal(name));
  return { forever, end, began: () => beganAt !== null };
}
