import type { QueueName } from '@constancia/contracts';
import { sleep } from '@constancia/kernel';
import { NO_POOLER, poolerInstalled, slotOfQueue } from '@constancia/testing';
import fs from 'node:fs';
import path from 'node:path';
import type { Stage } from '../stage.ts';
import type { Fault } from './fault.ts';

const FROZEN_MS = 30_000;

/** Starts Postgres again after it was killed: what is left of the old server may hold on for a moment. */
async function startAgain(stage: Stage): Promise<void> {
  for (const deadline = Date.now() + 30_000; ;) {
    try {
      return await stage.stack.cluster.start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(250);
    }
  }
}

/** A server that can write no journal ends. By itself it begins again, unless there was no room for that either. */
async function answersAgain(stage: Stage): Promise<void> {
  for (const deadline = Date.now() + 30_000; ;) {
    try {
      return void (await stage.sql('select 1'));
    } catch (error) {
      if (Date.now() > deadline) throw error;
      if (!stage.stack.cluster.running) await startAgain(stage);
      else await sleep(250);
    }
  }
}

/** Queues that the load keeps busy. */
const BUSY: readonly QueueName[] = ['sealing', 'webhook-delivery', 'screening-request'];

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Writes until the disk is full; answers the file that fills it. */
function fill(folder: string): string {
  const ballast = path.join(folder, '.ballast');
  const file = fs.openSync(ballast, 'w');
  try {
    for (const piece = Buffer.alloc(1024 * 1024); ;) fs.writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(file);
  }
  return ballast;
}

export const STORES: readonly Fault[] = [
  {
    name: 'queue-wiped',
    what: 'all queues emptied (FLUSHALL, or every table of the queue schema truncated), jobs, schedulers and all',
    countsFrom: 'strike',
    limitSeconds: 60,
    strike: (stage) => stage.wipeQueues(),
  },
  {
    name: 'redis-restart',
    what: 'Redis killed (-9) without persistence, away for 1 to 3 s, back empty',
    only: 'redis',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike(stage, random) {
      await stage.redis?.kill();
      await sleep(random.between(1_000, 3_000));
      await stage.redis?.start();
    },
  },
  {
    name: 'redis-frozen',
    what: `Redis frozen (SIGSTOP) for ${FROZEN_MS / 1_000} s: it takes connections and answers nothing`,
    only: 'redis',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike(stage) {
      stage.redis?.signal('SIGSTOP');
      await sleep(FROZEN_MS);
      stage.redis?.signal('SIGCONT');
    },
  },
  {
    name: 'redis-failover',
    what: 'in a Redis Cluster the master of a busy queue killed (-9); its replica takes its place, and it comes back as the replica',
    only: 'redis-cluster',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike({ redisCluster }, random) {
      if (!redisCluster) throw new Error('there is no cluster');
      const killed = await redisCluster.failOver(await slotOfQueue(redisCluster, random.pick(BUSY)));
      await redisCluster.revive(killed);
      await redisCluster.whole();
    },
  },
  {
    name: 'redis-slot-moves',
    what: 'in a Redis Cluster the slot of a busy queue moves to another master, half-way for 2 to 4 s',
    only: 'redis-cluster',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike({ redisCluster }, random) {
      if (!redisCluster) throw new Error('there is no cluster');
      const slot = await slotOfQueue(redisCluster, random.pick(BUSY));
      await redisCluster.moveSlot(slot, () => sleep(random.between(2_000, 4_000)));
    },
  },
  {
    name: 'postgres-restart',
    what: 'fast restart of Postgres, away for 1 to 3 s',
    countsFrom: 'heal',
    limitSeconds: 60,
    strike: (stage, random) => stage.stack.cluster.restart(random.between(1_000, 3_000)),
  },
  {
    name: 'postgres-kill',
    what: 'kill -9 of the Postgres server, started again at once on the same data',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike(stage) {
      stage.stack.cluster.kill();
      await startAgain(stage);
    },
  },
  {
    name: 'postgres-promotion',
    what: 'kill -9 of the Postgres server with all its processes; its synchronous standby is promoted and takes its address',
    prepare: (stage) => stage.addStandby(),
    countsFrom: 'strike',
    limitSeconds: 60,
    async strike({ stack, wires }) {
      await stack.cluster.failOver();
      wires.postgres.pointAt(stack.cluster.adminUrl);
    },
  },
  {
    name: 'pooler-restart',
    what: 'the pooler between the processes and Postgres killed (-9), away for 1 to 3 s',
    pooler: true,
    impossible: () => (poolerInstalled ? undefined : NO_POOLER),
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike({ stack }, random) {
      await stack.pooler?.kill();
      await sleep(random.between(1_000, 3_000));
      await stack.pooler?.start();
    },
  },
  {
    name: 'connections-terminated',
    what: 'pg_terminate_backend of every connection, again and again for 3 s',
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike(stage, random) {
      for (const deadline = Date.now() + 3_000; Date.now() < deadline;) {
        await stage.sql(TERMINATE);
        await sleep(random.between(50, 400));
      }
    },
  },
  {
    name: 'disk-full',
    what: 'the disk of the object store full for 4 to 7 s',
    impossible: ({ disk }) => (typeof disk === 'string' ? undefined : disk.reason),
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike({ disk }, random) {
      if (typeof disk !== 'string') throw new Error(disk.reason);
      const ballast = fill(disk);
      await sleep(random.between(4_000, 7_000));
      fs.rmSync(ballast);
    },
  },
  {
    name: 'postgres-disk-full',
    what: 'the disk of the Postgres server full for 4 to 7 s',
    smallData: true,
    impossible: ({ dataDisk }) => (typeof dataDisk === 'object' ? dataDisk.reason : undefined),
    countsFrom: 'heal',
    limitSeconds: 60,
    async strike(stage, random) {
      if (typeof stage.dataDisk !== 'string') throw new Error('the server has no disk of its own');
      const ballast = fill(stage.dataDisk);
      await sleep(random.between(4_000, 7_000));
      fs.rmSync(ballast);
      await answersAgain(stage);
    },
  },
  {
    name: 'migrations-twice',
    what: "two runs of every module's migrate command at once, while serving",
    countsFrom: 'heal',
    limitSeconds: 60,
    strike: (stage) => stage.migrateTwice(),
  },
];
