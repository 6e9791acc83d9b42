import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';

/** One app started from its bundle, as a process of its own. */
export class AppProcess {
  private child: ChildProcess | undefined;

  /** @param bundles the folder with a folder per app, as `npm run build` makes it */
  constructor(
    readonly name: string,
    readonly env: Readonly<Record<string, string>>,
    private readonly readyUrl: string,
    readonly logFile: string,
    private readonly bundles = path.join(WORKSPACE, 'dist/apps'),
  ) {}

  get pid(): number {
    return this.child?.pid as number;
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Where it answers operators. */
  get opsUrl(): string {
    return new URL(this.readyUrl).origin;
  }

  /** All that the process has written so far. */
  get log(): string {
    return fs.existsSync(this.logFile) ? fs.readFileSync(this.logFile, 'utf8') : '';
  }

  /** Starts and waits until the app says that it is ready. */
  async start(timeoutMs = 180_000): Promise<void> {
    const log = fs.openSync(this.logFile, 'a');
    this.child = spawn(process.execPath, [path.join(this.bundles, this.name, 'main.js')], {
      env: { PATH: process.env.PATH ?? '', ...this.env },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    const deadline = Date.now() + timeoutMs;
    while (!(await this.ready())) {
      if (!this.running || Date.now() > deadline) {
        throw new Error(`${this.name} did not become ready:\n${this.log.split('\n').slice(-15).join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the process with a signal and waits for it to be gone; answers its exit code. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.child;
    if (!child || !this.running) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  /** Whether the app says that it wants requests: what a load balancer asks. */
  async ready(): Promise<boolean> {
    try {
      return (await fetch(this.readyUrl, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      return false;
    }
  }
}
