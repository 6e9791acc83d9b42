import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { tail } from './install.mjs';
import { PLACES, WORKSPACE } from './places.mjs';
import { record } from './pids.mjs';
import { takenPort } from './ports.mjs';
import { end, identityOf, isFree, listensItself, pause, signal } from './processes.mjs';
import { LaunchError } from './launch-error.mjs';

const LONGEST_BACKOFF_MS = 30_000;
const STEADY_AFTER_MS = 60_000;
const LARGEST_LOG_BYTES = 20 * 1024 * 1024;

/** The status that an address answers with; 0 when nobody answers. */
export function statusOf(url) {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: 3_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
  });
}

/**
 * A child process that this launcher keeps alive: started in a group of its own (Ctrl-C reaches the launcher alone), its output
 * in .local/logs/<name>.log, recorded on disk the moment it starts, started again with growing pauses when it dies.
 */
export class Supervised {
  #child = null;
  #identity = null;
  #stopping = false;
  #kept = false;
  #startedAt = 0;
  #backoffMs = 500;
  #timer = null;

  /**
   * @param {{ name: string, args: string[], env: Record<string, string>, doors: { readyUrl: string, port: number }[], say: (line: string) => void }} options
   *   args: of node; doors: where it listens: readyUrl, on that port, answers 200 once it is ready
   */
  constructor({ name, args, env, doors, say }) {
    this.name = name;
    this.args = args;
    this.env = env;
    this.doors = doors;
    this.say = say;
    this.logFile = path.join(PLACES.logs, `${name}.log`);
  }

  start() {
    if (fs.existsSync(this.logFile) && fs.statSync(this.logFile).size > LARGEST_LOG_BYTES) {
      fs.renameSync(this.logFile, `${this.logFile}.old`);
    }
    const log = fs.openSync(this.logFile, 'a', 0o600);
    this.#startedAt = Date.now();
    this.#child = spawn(process.execPath, this.args, {
      cwd: WORKSPACE,
      env: this.env,
      stdio: ['ignore', log, log],
      detached: true,
    });
    fs.closeSync(log);
    const child = this.#child;
    child.once('error', (error) => fs.appendFileSync(this.logFile, `${error.message}\n`));
    if (child.pid !== undefined) record(this.name, child.pid);
    this.#identity = identityOf(child.pid ?? 0);
    child.once('exit', (code, signalName) => this.#died(child, signalName ?? `code ${code}`));
  }

  #died(child, how) {
    if (child !== this.#child) return;
    this.#child = null;
    this.howItDied = how;
    if (this.#stopping || !this.#kept) return;
    if (Date.now() - this.#startedAt > STEADY_AFTER_MS) this.#backoffMs = 500;
    this.say(`${this.name} ended (${how}); starting it again in ${this.#backoffMs / 1000} s. Its log: ${this.logFile}`);
    this.#timer = setTimeout(() => this.start(), this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Waits until it answers as ready at each of its doors and is the one who answers. @throws LaunchError when it ends before, or takes too long */
  async ready(timeoutMs = 60_000) {
    const deadline = Date.now() + timeoutMs;
    for (const door of this.doors) await this.#readyAt(door, deadline, timeoutMs);
  }

  async #readyAt({ readyUrl, port }, deadline, timeoutMs) {
    for (; ; await pause(50)) {
      if (this.#child === null) throw await this.#whyItDied();
      const status = await statusOf(readyUrl);
      if (status === 200 && listensItself(this.#child?.pid, port)) return;
      if (Date.now() > deadline) {
        const answer =
          status === 0 ? 'nobody answers' : status === 200 ? 'another process answers' : `it answers ${status}`;
        throw new LaunchError(
          `${this.name} is not ready at ${readyUrl} after ${timeoutMs / 1000} s: ${answer}. Its log: ${this.logFile}`,
        );
      }
    }
  }

  async #whyItDied() {
    if (tail(this.logFile, 40).includes('EADDRINUSE')) {
      for (const { port } of this.doors) if (!(await isFree(port))) return takenPort(port, this.name);
    }
    return new LaunchError(
      `${this.name} did not start (${this.howItDied}): ${tail(this.logFile)}. Its log: ${this.logFile}`,
    );
  }

  /** From now on it is started again when it ends by itself. */
  keep() {
    this.#kept = true;
    if (this.#child === null) this.#died(null, this.howItDied);
  }

  /** Asks it to drain and waits; kills it when it does not end. */
  async stop(patienceMs) {
    this.#stopping = true;
    clearTimeout(this.#timer);
    if (this.#identity !== null) await end(this.#identity, { patienceMs });
  }

  kill() {
    this.#stopping = true;
    clearTimeout(this.#timer);
    if (this.#identity !== null) signal(this.#identity, 'SIGKILL');
  }
}
