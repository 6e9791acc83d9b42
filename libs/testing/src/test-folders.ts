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
    for (const file of fs.readdirSync(folder)) if (file.endsWith('.pid')) stopServer(folder, file);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends a server (server-process.ts) that a killed run left behind: it works within its folder. */
function stopServer(folder: string, file: string): void {
  const pid = Number(fs.readFileSync(path.join(folder, file), 'utf8'));
  if (fs.existsSync(`/proc/${pid}`) && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(folder))
    process.kill(pid, 'SIGKILL');
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
