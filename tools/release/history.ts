import { spawnSync } from 'node:child_process';
import { WORKSPACE } from '@constancia/bundling/workspace';

/** Runs git in this checkout. */
export function git(...args: string[]) {
  return spawnSync('git', ['-c', 'safe.directory=*', '-C', WORKSPACE, ...args], { maxBuffer: 1 << 29 });
}

function said(...args: string[]): string {
  const { status, stdout, stderr } = git(...args);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${String(stderr).trim()}`);
  return String(stdout).trim();
}

/** Whether this checkout knows the commit: a copy without .git or a shallow clone does not. */
export function historyHas(commit: string): boolean {
  return git('cat-file', '-e', `${commit}^{commit}`).status === 0;
}

export function commitOf(revision: string): string {
  return said('rev-parse', '--verify', `${revision}^{commit}`);
}

/** When a commit was made, in seconds since 1970. */
export function secondsOf(commit: string): number {
  return Number(said('show', '--no-patch', '--format=%ct', commit));
}

/** Files that differ from the commit that is checked out, or are not in it. */
export function uncommittedFiles(): string[] {
  return said('status', '--porcelain').split('\n').filter(Boolean);
}
