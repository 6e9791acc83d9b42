import { sleep } from '@constancia/kernel';
import type { AppName, AppProcess } from '@constancia/testing';
import pg from 'pg';
import type { Stage } from '../stage.ts';
import type { Fault } from './fault.ts';

const WORKERS: readonly AppName[] = ['sealing-worker', 'webhook-dispatcher', 'biometrics-worker'];
const APIS: readonly AppName[] = ['platform', 'compliance', 'signing'];

const kill = (name: AppName): Fault => ({
  name: `kill-${name}`,
  what: `kill -9 of ${name}, which its supervisor starts again at once`,
  ...(name === 'biometrics-worker' && { extra: { faces: true } }),
  countsFrom: 'strike',
  limitSeconds: WORKERS.includes(name) ? 30 : 60,
  strike: (stage, random) => stage.killAndRestart(name, random),
});

/** The rows that a sealing worker has in progress. */
const IN_HAND = `
  select 'signing.signature_request' as "table", id from signing.signature_request where status = 'pending' and lease_token is not null
  union all select 'signing.envelope', id from signing.envelope where status = 'sealing' and lease_token is not null`;

/** Whether somebody waits to commit seals of rows that this backend holds. */
const WAITED_FOR = `select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid)) and query like '%signing.complete_%'`;

/**
 * Holds the rows that the worker is sealing, so that it signs and stores the documents and cannot commit; kills it there. Tried until
 * the worker was caught so: a lease lasts milliseconds. Where there are other copies, they stand still until it is killed.
 */
async function killBeforeCommit(stage: Stage): Promise<void> {
  const [worker, ...others] = stage.copiesOf('sealing-worker') as [AppProcess, ...AppProcess[]];
  for (const { pid } of others) process.kill(pid, 'SIGSTOP');
  const client = new pg.Client({ connectionString: stage.stack.cluster.adminUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
      await client.query('begin');
      const rows = (await client.query<{ table: string; id: string }>(IN_HAND)).rows;
      for (const { table, id } of rows)
        await client.query(`select 1 from ${table} where id = $1 for update skip locked`, [id]);
      if (rows.length > 0 && (await isWaitedFor(client))) {
        await worker.end('SIGKILL');
        await client.query('rollback');
        for (const { pid } of others) process.kill(pid, 'SIGCONT');
        return await worker.start();
      }
      await client.query('rollback');
    }
    throw new Error('the sealing worker was not caught between its seal and its commit');
  } finally {
    for (const { pid } of others) process.kill(pid, 'SIGCONT');
    await client.end();
  }
}

async function isWaitedFor(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (let tries = 0; tries < 25; tries++) {
    if ((await client.query(WAITED_FOR, [rows[0]?.pid])).rowCount) return true;
    await sleep(20);
  }
  return false;
}

export const KILLS: readonly Fault[] = [
  ...[...WORKERS, ...APIS].map(kill),
  {
    name: 'kill-payments',
    what: 'kill -9 of the payment provider, which is started again at once: the callbacks that it was to send are lost',
    countsFrom: 'strike',
    limitSeconds: 60,
    strike: (stage) => stage.payments.killAndRestart(),
  },
  {
    name: 'kill-before-commit',
    what: 'the sealing worker held after it has signed and stored documents, before it commits, and killed there (-9)',
    countsFrom: 'strike',
    limitSeconds: 30,
    strike: (stage) => killBeforeCommit(stage),
  },
];
