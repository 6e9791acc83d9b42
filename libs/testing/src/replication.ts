import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';

/** What the standby calls itself, and its slot. */
const STANDBY = 'standby';

/** Makes the copy of a server's data follow that server from its next start on. @param via where it finds the server */
export async function prepareStandby(serverUrl: string, data: string, via: string): Promise<void> {
  await asked(serverUrl, `select pg_create_physical_replication_slot('${STANDBY}', true)`);
  const { hostname, port, username, password } = new URL(via);
  const found = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY}`;
  const settings = `primary_conninfo = '${found}'\nprimary_slot_name = '${STANDBY}'\n`;
  fs.appendFileSync(path.join(data, 'postgresql.auto.conf'), settings);
  const { uid, gid } = fs.statSync(data);
  fs.writeFileSync(path.join(data, 'standby.signal'), '');
  fs.chownSync(path.join(data, 'standby.signal'), uid, gid);
}

/** Resolves when the standby has all that the server has; from then on the server waits for it, if `synchronous`. */
export async function untilStreaming(serverUrl: string, synchronous: boolean): Promise<void> {
  await eventually(() => standsAs('async'), 30_000);
  if (!synchronous) return;
  await asked(serverUrl, `alter system set synchronous_standby_names = '${STANDBY}'`);
  await asked(serverUrl, 'select pg_reload_conf()');
  await eventually(() => standsAs('sync'), 30_000);

  async function standsAs(state: 'async' | 'sync'): Promise<void> {
    const [row] = await asked(
      serverUrl,
      `select sync_state from pg_stat_replication where state = 'streaming' and application_name = '${STANDBY}'`,
    );
    if (row?.sync_state !== state) throw new Error(`the standby is ${String(row?.sync_state)}, not ${state}`);
  }
}

/** Makes a standby a server that takes writes. */
export async function promote(standbyUrl: string): Promise<void> {
  const [row] = await asked(standbyUrl, 'select pg_promote(true, 30) as promoted');
  if (row?.promoted !== true) throw new Error('the standby was not promoted within 30 s');
}

/** kill -9 of a server's first process and of all others, which live in groups of their own. */
export function killAll(pid: number): void {
  process.kill(pid, 'SIGSTOP'); // it makes no more of them, nor ends them in order
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = stdout.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number)); // prettier-ignore
  for (const [child, parent] of processes) if (parent === pid) killed(child as number);
  killed(pid);
}

/** One that has ended meanwhile is as good as killed. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function asked(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
