import fs from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually, type TestDatabase, testDatabase, testTenant } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  acceptedRequests,
  hints,
  requestOf,
  runningWorker,
  storedTemplate,
  type WorkerServices,
  workerServices,
} from './running-sealing-worker.fixture.ts';

let store: TestDatabase;
let around: WorkerServices;
let worker: INestApplicationContext | undefined;

beforeAll(async () => {
  [store, around] = await Promise.all([testDatabase(), workerServices()]);
});
afterEach(() => worker?.close());
afterAll(async () => {
  await Promise.all([store.drop(), around.close()]);
});

/** Process ids of the children of this process that read PDFs. */
function pdfChildren(): number[] {
  const tasks = fs.readdirSync('/proc/self/task');
  const children = tasks.flatMap((task) =>
    fs.readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '),
  );
  return children
    .filter((pid) => pid && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-child'))
    .map(Number);
}

/**
 * A worker with one child, which stands still with the first request in progress while the others wait behind it. Answers the child's
 * process id and the requests.
 */
async function standstill(deadlineMs: number): Promise<{ child: number; held: string; others: string[] }> {
  const tenant = await testTenant(store, { credits: 1000 });
  const templateId = await storedTemplate(store, around, tenant);
  const [first] = (await acceptedRequests(store, tenant, templateId)) as [string];
  worker = await runningWorker(store, around, { processes: 1, deadlineMs });
  await settled(first); // the child has started, and every cache is filled
  const [child] = pdfChildren() as [number];
  process.kill(child, 'SIGSTOP');

  const queues = hints(store);
  const [held] = (await acceptedRequests(store, tenant, templateId)) as [string];
  queues.hint('sealing', { v: 1, request_id: held }, held);
  await eventually(async () => expect((await requestOf(store, held)).lease_token).not.toBeNull());
  const others = await acceptedRequests(store, tenant, templateId, { count: 12 });
  for (const id of others) queues.hint('sealing', { v: 1, request_id: id }, id);
  await eventually(async () => expect((await requestOf(store, others[0] as string)).lease_token).not.toBeNull());
  await queues.close();
  return { child, held, others };
}

async function settled(id: string) {
  return eventually(async () => {
    const request = await requestOf(store, id);
    expect(request.status).not.toBe('pending');
    return request;
  }, 20_000);
}

describe.skipIf(process.platform !== 'linux')('a child that is killed with a document in progress', () => {
  it('by its deadline costs that request too_complex, without a refund, and the others nothing', async () => {
    const { held, others } = await standstill(2_000);
    expect(await settled(held)).toMatchObject({
      status: 'failed',
      failure_code: 'too_complex',
      credits_refunded: 0,
      attempts: 1,
    });
    for (const id of others) expect(await settled(id)).toMatchObject({ status: 'signed', attempts: 1, faults: 0 });
  }, 40_000);

  it('by somebody else costs nobody anything: the document is drawn by another child', async () => {
    const { child, held, others } = await standstill(20_000);
    process.kill(child, 'SIGKILL');
    for (const id of [held, ...others]) expect(await settled(id)).toMatchObject({ status: 'signed', attempts: 1 });
    expect(pdfChildren()).not.toContain(child);
  }, 40_000);
});
