import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { CheckFailed, command } from './command.ts';

/**
 * As a restricted pod would run it: the image's files read-only, /tmp of its own, no device but the harmless ones, its own
 * process numbers, user and group of the image, no capability and no way to get one.
 */
const SETUP = `
set -e
root=$1; shift
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,size=256m tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
exec setpriv --no-new-privs chroot --userspec="$RUN_AS" "$root" "$@"
`;

export interface ConfinedOptions {
  root: string;
  /** As the image says: uid:gid. */
  user: string;
  env: Record<string, string>;
  args: readonly string[];
}

/** What the kernel says about a confined process. */
export interface Confinement {
  uids: number[];
  gids: number[];
  groups: number[];
  effectiveCapabilities: string;
  noNewPrivileges: boolean;
}

/** A program of an image, running. */
export class Confined {
  private readonly child: ChildProcess;
  private words = '';
  readonly ended: Promise<number | null>;

  constructor({ root, user, env, args }: ConfinedOptions) {
    this.child = spawn(
      'unshare',
      [...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', SETUP, 'confined', root], ...args],
      { env: { ...env, RUN_AS: user }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child.stdout?.on('data', (chunk: Buffer) => (this.words += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.words += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** All that it printed. */
  get said(): string {
    return this.words;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Number of the program itself, as seen from outside. Throws CheckFailed when it has ended. */
  get pid(): number {
    const own = fs.readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, 'utf8').trim();
    if (own === '') throw new CheckFailed(`It has ended:\n${this.words.trim()}`);
    return Number(own.split(' ')[0]);
  }

  confinement(): Confinement {
    const status = fs.readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? '';
    const numbers = (name: string) => (field(name) === '' ? [] : field(name).split(/\s+/).map(Number));
    return {
      uids: numbers('Uid'),
      gids: numbers('Gid'),
      groups: numbers('Groups'),
      effectiveCapabilities: field('CapEff'),
      noNewPrivileges: field('NoNewPrivs') === '1',
    };
  }

  /** Runs a program beside it, where it is, as its user. */
  async beside(args: readonly string[], env: Record<string, string>): Promise<void> {
    const [uid, gid] = [this.confinement().uids[0], this.confinement().gids[0]].map(String) as [string, string];
    const where = ['--target', String(this.pid), '--mount', '--root', '--wd', '--setuid', uid, '--setgid', gid];
    await command('nsenter', [...where, ...args], { env });
  }

  /** Sends a signal and gives the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.running) process.kill(this.pid, signal);
    return this.ended;
  }
}
