import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stopOrphan } from '@constancia/dev-servers/embedded-postgres';

/** Folders of the servers of a run begin with it, and with the id of its process. */
const PREFIX = 'constancia-test-';

/** The path of a folder for a server of this run. `removeLeftOvers` removes it when the run was killed. */
export function testFolder(within = os.tmpdir()): string {
  return path.join(within, `${PREFIX}${process.pid}-${randomUUID()}`);
}

/** Ends and removes the servers of test runs that were killed: their folder names the process that made them. */
export async function removeLeftOvers(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const maker = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(maker) || isAlive(maker)) continue;
    const folder = path.join(os.tmpdir(), name);
    await stopOrphan(path.join(folder, 'data'));
    stopServers(folder);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends the servers (server-process.ts) that a killed run left behind: they work within their folder. */
function stopServers(folder: string): void {
  try {
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.pid'))) {
      const pid = Number(fs.readFileSync(path.join(folder, file), 'utf8'));
      if (workingFolder(pid)?.startsWith(folder)) process.kill(pid, 'SIGKILL');
    }
  } catch (error) {
    // Another run that begins now was first.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Of a process; undefined where it is gone, or somebody else's. */
function workingFolder(pid: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
