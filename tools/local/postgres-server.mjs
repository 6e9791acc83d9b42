import fs from 'node:fs';
import path from 'node:path';
import { PostgresProblem, reachableDataFolder, startPostgres } from '../../libs/dev-servers/src/embedded-postgres.mjs';
import { PLACES, STATE } from './places.mjs';
import { record } from './pids.mjs';
import { pause } from './processes.mjs';
import { LaunchError } from './launch-error.mjs';

/** Where the embedded server's data is: under .local, or under /var/tmp when "nobody" could not reach it there. */
export const dataFolder = () => reachableDataFolder(path.join(STATE, 'postgres'));

/** The embedded PostgreSQL, started again when it dies. */
export class PostgresServer {
  #server = null;
  #starting = null;
  #stopping = false;

  constructor({ port, password, say }) {
    this.port = port;
    this.password = password;
    this.say = say;
    this.logFile = path.join(PLACES.logs, 'postgres.log');
  }

  /** @returns {Promise<string>} superuser address @throws LaunchError */
  async start() {
    try {
      const options = { dataDir: dataFolder(), port: this.port, password: this.password, logFile: this.logFile };
      this.#starting = startPostgres(options);
      this.#server = await this.#starting;
    } catch (error) {
      throw error instanceof PostgresProblem ? new LaunchError(error.message) : error;
    }
    record('postgres', this.#server.pid);
    void this.#server.exited.then((code) => this.#died(code));
    return this.#server.url;
  }

  async #died(code) {
    for (let backoffMs = 500; !this.#stopping; backoffMs = Math.min(backoffMs * 2, 30_000)) {
      this.say(`PostgreSQL ended (${code ?? 'killed'}); starting it again. Its log: ${this.logFile}`);
      await pause(backoffMs);
      try {
        if (!this.#stopping) await this.start();
        return;
      } catch (error) {
        this.say(error.message);
      }
    }
  }

  async stop() {
    this.#stopping = true;
    const server = await this.#starting?.catch(() => null); // it may be just coming up
    await server?.stop();
  }

  kill() {
    this.#stopping = true;
    if (this.#server) process.kill(this.#server.pid, 'SIGQUIT');
  }
}

/** Removes the data: for --fresh. */
export function removeData() {
  fs.rmSync(dataFolder(), { recursive: true, force: true });
}
