import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

/** A server of a test as a process that is killed and started again. It works in a test folder, where its id stands in a file. */
export class ServerProcess {
  private child: ChildProcess | undefined;

  constructor(
    private readonly program: string,
    /** See test-folders.ts. */
    private readonly folder: string,
    /** Of its file with the process id: a folder may have several. */
    private readonly name = program,
  ) {}

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it; `ready` tells when it answers. */
  async start(
    args: readonly string[],
    ready: (child: ChildProcess) => Promise<unknown>,
    options: SpawnOptions = {},
  ): Promise<void> {
    const child = spawn(this.program, args, { cwd: this.folder, ...options });
    this.child = child;
    if (child.pid !== undefined) fs.writeFileSync(path.join(this.folder, `${this.name}.pid`), String(child.pid));
    await ready(child);
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Ends it with a signal and waits for it to be gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.child || !this.running) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}
