import fs from 'node:fs';
import path from 'node:path';
import { PLACES } from './places.mjs';

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/**
 * Tells the person what happens. In the background (`--detach`) the lines go to the process that waits in the terminal; once
 * that one is gone, to .local/logs/launcher.log.
 */
export function say(line = '') {
  if (!process.env.CONSTANCIA_BACKGROUND) console.log(line);
  else if (process.connected) process.send({ line });
  else
    fs.appendFileSync(path.join(PLACES.logs, 'launcher.log'), `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
}

/** Runs a step and prints its name with the time that it took. */
export async function step(what, work) {
  const from = performance.now();
  const result = await work();
  say(`  ${what.padEnd(44, ' ')} ${seconds(from)}`);
  return result;
}
