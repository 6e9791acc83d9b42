import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLACES } from './places.mjs';

/**
 * Starts the launcher again as a process of its own session, shows what it prints, and returns once it is ready.
 * Ctrl-C before that ends it too.
 */
export function detach(args) {
  const log = fs.openSync(path.join(PLACES.logs, 'launcher.log'), 'a', 0o600);
  const start = fileURLToPath(new URL('start.mjs', import.meta.url));
  const child = spawn(process.execPath, [start, ...args], {
    env: { ...process.env, CONSTANCIA_BACKGROUND: '1' },
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  fs.closeSync(log);
  const interrupt = () => child.kill('SIGTERM');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return new Promise((resolve) => {
    child.on('message', (/** @type {{ line?: string, ready?: boolean }} */ message) => {
      if (message.line !== undefined) console.log(message.line);
      if (!message.ready) return;
      child.unref();
      process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt);
      resolve();
    });
    child.once('exit', (code) => {
      process.exitCode = code || 1; // it ended before it was ready
      resolve();
    });
  });
}
