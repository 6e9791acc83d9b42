import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Why the object store has no disk of its own here, that could be filled. */
export type NoDisk = { reason: string };

/** A tmpfs of few megabytes, for who may mount one. */
export function smallDisk(megabytes: number, mode: string): string | NoDisk {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=${mode}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status === 0) return folder;
  fs.rmdirSync(folder);
  return { reason: `a small disk cannot be mounted here (${(mounted.stderr ?? String(mounted.error)).trim()})` };
}

export function removeDisks(...disks: (string | NoDisk | undefined)[]): void {
  for (const folder of disks) {
    if (typeof folder === 'string' && spawnSync('umount', ['-l', folder]).status === 0) fs.rmdirSync(folder);
  }
}
