import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DocumentStepInput } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { bundled, eventually, type TestDatabase, testDatabase, testTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawnCedula } from '../../../libs/document-reading/src/rendered/variants.fixture.ts';
import {
  ended,
  queuedRun,
  runningWorker,
  runOf,
  storedPicture,
  storedSubject,
  type WorkerServices,
  workerServices,
  type WorkerChanges,
  workerEnvironment,
} from './running-biometrics-worker.fixture.ts';
import { ChildEngines } from './engines/child-engines.ts';
import { type ClaimedRun, StepRuns } from './step-runs.ts';

const HERE = import.meta.dirname;

let store: TestDatabase;
let around: WorkerServices;
let hostile: string;
let worker: INestApplicationContext | undefined;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  [store, around] = await Promise.all([testDatabase(), workerServices()]);
  hostile = await bundled(path.join(HERE, 'engines/hostile-child.fixture.ts'));
}, 60_000);
afterEach(async () => {
  await worker?.close();
  worker = undefined;
  for (const child of processes.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});
afterAll(async () => {
  await Promise.all([store.drop(), around.close()]);
});

async function runOver(picture: Uint8Array, deadlineMs?: number): Promise<string> {
  const subject = await storedSubject(store, around, await testTenant(store));
  const input: DocumentStepInput = {
    v: 1,
    doc_front: await storedPicture(store, around, subject, 'doc_front', picture),
    doc_back: null,
    document_type: 'CC',
    document_country: 'CO',
  };
  return queuedRun(store, subject, { type: 'document', input }, deadlineMs);
}

/** A worker whose child does what the picture says. */
async function hostileWorker(changes: WorkerChanges = {}): Promise<ChildEngines> {
  const engines = new ChildEngines({ processes: 1, memoryMb: 256, program: hostile });
  worker = await runningWorker(store, around, { engines, ...changes });
  return engines;
}

describe('a picture that takes its child down', () => {
  it.each([
    ['abort', 'out_of_memory'], // what V8 does when its memory is used up
    ['exit', 'engine_crash'],
    ['kill', 'engine_crash'],
    ['devour', 'engine_crash'], // it is refused a buffer, and ends by itself
  ])('by %s ends as an error after three attempts, and the next picture is worked on', async (doing, reason) => {
    await hostileWorker();
    const poisoned = await runOver(Buffer.from(doing));
    const harmless = await runOver(Buffer.from('harmless'));
    expect(await ended(store, poisoned)).toMatchObject({
      outcome: 'error',
      reason,
      claims: 1,
      result_sealed: null,
      lease_token: null,
    });
    expect(await ended(store, harmless)).toMatchObject({ outcome: 'retry', reason: 'blurred', engine: 'hostile' });
  });

  it('by never ending costs it its deadline, three times, and no more', async () => {
    await hostileWorker({ deadlineMs: 500 });
    const begun = performance.now();
    expect(await ended(store, await runOver(Buffer.from('hang')))).toMatchObject({
      outcome: 'error',
      reason: 'deadline',
    });
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('is not tried again when the run’s own time is over', async () => {
    await hostileWorker({ deadlineMs: 5_000 });
    const id = await runOver(Buffer.from('hang'), 4_000);
    expect(await ended(store, id)).toMatchObject({ outcome: 'error', reason: 'deadline', claims: 1 });
  });
});

describe('a child', () => {
  it.skipIf(process.platform !== 'linux')('stands back behind what answers requests', async () => {
    const engines = new ChildEngines({ processes: 1, memoryMb: 256, program: hostile });
    await engines.start();
    const [pid] = engines.pids as [number];
    const threads = fs.readdirSync(`/proc/${pid}/task`).map(Number);
    expect(threads.map((thread) => os.getPriority(thread))).toEqual(threads.map(() => 10));
    await engines.close();
  });

  it('that is killed by somebody costs the run nothing but time', async () => {
    const engines = await hostileWorker();
    const id = await runOver(Buffer.from('slow'));
    await eventually(async () => expect((await runOf(store, id)).lease_token).not.toBeNull());
    await eventually(async () => expect(engines.pids).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(engines.pids[0] as number, 'SIGKILL');
    expect(await ended(store, id)).toMatchObject({ outcome: 'retry', reason: 'blurred', claims: 1 });
  });
});

describe('a lease', () => {
  it('that was lost lets nobody write any more', async () => {
    const id = await runOver(Buffer.from('harmless'));
    const database = await Database.connect({ url: store.app('identity'), applicationName: 'late' });
    const runs = new StepRuns(database);
    const late = (await runs.claim(10)).find((run) => run.id === id) as ClaimedRun;
    await store.query(`update identity.step_run set lease_until = now() - interval '1 s' where id = $1`, [id]);
    await hostileWorker();
    expect(await ended(store, id)).toMatchObject({ outcome: 'retry', claims: 2 });
    const end = { outcome: 'pass', reason: null, resultSealed: null, engine: 'late', modelVersion: '1' } as const;
    expect(await runs.finish(late, end)).toBe(false);
    expect(await runOf(store, id)).toMatchObject({ outcome: 'retry', engine: 'hostile' });
    await database.close();
  });

  it('is kept for as long as the work takes', async () => {
    await hostileWorker();
    const id = await runOver(Buffer.from('slow'));
    await eventually(async () => expect((await runOf(store, id)).lease_token).not.toBeNull());
    await store.query(`update identity.step_run set lease_until = now() + interval '5 s' where id = $1`, [id]);
    expect(await ended(store, id)).toMatchObject({ outcome: 'retry', claims: 1 });
  });
});

describe('the worker as a process', () => {
  async function started(): Promise<ChildProcess> {
    const program = await bundled(path.join(HERE, 'main.ts'), ['engine-child']);
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH ?? '', ...workerEnvironment(store, around), LOG_LEVEL: 'silent' },
      stdio: 'ignore',
    });
    processes.push(child);
    return child;
  }

  const atWork = (id: string) =>
    eventually(async () => expect((await runOf(store, id)).lease_token).not.toBeNull(), 20_000);

  it('may be killed with a run in progress: another worker takes it over when the lease has ended', async () => {
    const { images } = await drawnCedula(3);
    const child = await started();
    const id = await runOver(images.back as Uint8Array);
    await atWork(id);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await runOf(store, id)).toMatchObject({ status: 'running', claims: 1 });
    await hostileWorker();
    expect(await ended(store, id)).toMatchObject({ outcome: 'retry', engine: 'hostile', claims: 2 });
  }, 60_000);

  it('ends what it has in progress when it is stopped, with code 0', async () => {
    const { images } = await drawnCedula(3);
    const child = await started();
    const id = await runOver(images.back as Uint8Array);
    await atWork(id);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await runOf(store, id)).toMatchObject({ status: 'done', claims: 1 });
  }, 60_000);
});
