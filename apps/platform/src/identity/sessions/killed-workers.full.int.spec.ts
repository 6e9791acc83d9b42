import { LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClaimedRun,
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
  type Session,
  WorkerHarness,
} from '../running-identity.fixture.ts';

const SESSIONS = 100;
/** Advances per session at face_match: the same input over and over, from everywhere. */
const REPEATED = 10;

let store: TestDatabase;
let platform: RunningIdentity;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { STEP_WAIT_MS: '500', STEP_DEADLINE_MS: '8000' });
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

/** Outcomes in a mixture, by the session, so that all of them meet all kinds of failure. */
function verdictOf(run: ClaimedRun) {
  const nth = Number.parseInt(run.subject_id.slice(-2), 16) % 5;
  if (nth === 0) return { outcome: 'reject', reason: 'other_person' } as const;
  if (nth === 1) return { outcome: 'retry', reason: 'no_face' } as const;
  if (nth === 2) return { outcome: 'error', reason: 'engine_failure' } as const;
  return { outcome: 'pass' } as const;
}

/** Workers that die with every third run in their hands, one after the other. */
async function dyingWorkers(until: AbortSignal): Promise<void> {
  let claimed = 0;
  while (!until.aborted) {
    const worker = await WorkerHarness.start(store, platform.kms, (run) => {
      if (run.step_type === 'document') return { outcome: 'pass' };
      claimed += 1;
      return claimed % 3 === 0 ? 'die' : verdictOf(run);
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await worker.stop();
  }
}

async function inBatches<T, R>(items: T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    done.push(...(await Promise.all(items.slice(at, at + size).map(work))));
  }
  return done;
}

describe('a thousand advances while workers die', () => {
  it('debit nothing twice, leave no hold open and every session in a defined state', { timeout: 240_000 }, async () => {
    const stop = new AbortController();
    const workers = dyingWorkers(stop.signal);
    const flows = new FlowCaller(platform, await testTenant(store, { credits: SESSIONS * 80 * 2 }), store);
    await flows.seed();
    const sessions = await inBatches(Array.from({ length: SESSIONS }), 10, () => flows.open());
    const waiting = await inBatches(sessions, 10, async (session) => {
      await flows.advance(session, { accepted: true });
      const document = await flows.documentInput(session);
      await eventually(async () => {
        const { current_step } = (await flows.advance(session, document)).body;
        if (current_step !== 'face_match') throw new Error(String(current_step));
      }, 60_000);
      return { session, input: await flows.faceInput(session) };
    });
    const calls = Array.from({ length: REPEATED }, () => waiting).flat();
    const answers = await inBatches(calls, 50, ({ session, input }) => flows.advance(session, input));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 400, 409, 422, 503].includes(status))).toEqual([]);

    await eventually(
      async () => {
        const [open] = await store.query<{ count: number }>(
          `select count(*)::int as count from identity.step_run where status <> 'applied'`,
        );
        if (open?.count !== 0) throw new Error(`${open?.count} runs are open`);
      },
      60_000,
      250,
    );
    stop.abort();
    await workers;

    const { available, held } = await flows.balance();
    expect(held).toBe(0);
    const decided = await store.query<{ session_id: string; count: number }>(
      `select session_id, count(*)::int as count from identity.step_run
        where step_type = 'face' and outcome in ('pass', 'reject', 'review') group by session_id`,
    );
    expect(decided.filter(({ count }) => count > 1)).toEqual([]);
    expect(available).toBe(SESSIONS * 80 * 2 - decided.length * 80);
    const database = await Database.connect({ url: store.app('platform'), applicationName: 'ledger-check' });
    expect(await new LedgerReader(database).verify(flows.tenant.id)).toEqual([]);
    await database.close();
    const shown: Session[] = await inBatches(sessions, 20, (session) => flows.show(session));
    for (const { status, current_step, rejection_reason, last_outcome } of shown) {
      if (status === 'failed') expect(['other_person', 'too_many_attempts']).toContain(rejection_reason);
      else expect([status, ['face_match', 'sarlaft'].includes(String(current_step))]).toEqual(['in_progress', true]);
      expect(last_outcome).not.toBe('processing');
    }
  });
});
