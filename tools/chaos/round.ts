import os from 'node:os';
import { sleep } from '@constancia/kernel';
import { APPS } from '@constancia/testing';
import { brokenInvariants } from '../oracle/broken-invariants.ts';
import { brokenDocuments } from '../oracle/documents.ts';
import { brokenPromises } from '../oracle/promises.ts';
import { brokenReceipts } from '../oracle/receipts.ts';
import { brokenTopups } from '../oracle/topups.ts';
import { openWork } from '../oracle/unfinished.ts';
import type { Fault } from './faults/fault.ts';
import { Load } from './load/load.ts';
import { personFigures } from './person-figures.ts';
import { untilSettled } from './settling.ts';
import { Random } from './random.ts';
import type { Backend, Stage } from './stage.ts';

/** How long everything may take to come to rest after the last client has its answer. */
const REST_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** What a round showed. */
export interface RoundResult {
  fault: string;
  seed: number;
  backend: Backend;
  /** Copies of every process; rounds of before there could be several have none noted. */
  replicas?: number;
  startedAt: string;
  /** What was checked out. */
  commit: string;
  /** Processes that wanted a core at the round's beginning, per core: over 1, times say more about the machine than about the deployment. */
  machineLoad: number;
  /** Why the round did not take place. */
  skipped?: string;
  acknowledged: number;
  refused: number;
  /** Calls that were sent more than once because no answer came, or one that said "later". */
  repeated: number;
  /** Work that waited at the strike. */
  waiting: number;
  /** Seconds from the strike until the fault was healed: for a kill, until the process was ready again. */
  strikeSeconds: number;
  /** Seconds until all of it was done; null: not within the time. */
  recoveredSeconds: number | null;
  limitSeconds: number;
  /** Seconds from the last client's answer until nothing waited. */
  restSeconds: number | null;
  /** Payments that the provider holds in whatever state, of all rounds of the stage. */
  payments: number;
  /** Seconds from the last client's answer until the ledger had what the provider holds; null: not within the time. */
  settledSeconds: number | null;
  /** How often persons answered a request for a kept verification, by its end, and how codes of sign-ins were redeemed. */
  persons: Record<string, number>;
  /** How the provider's callbacks were answered since it was started. */
  callbacks: Record<string, number>;
  violations: string[];
}

export interface RoundOptions {
  seed: number;
  commit?: string;
  /** How long clients work, at the least. */
  seconds: number;
}

/** One round: load, a fault in the middle of it, healing, rest, and the oracle's verdict. */
export async function playRound(
  stage: Stage,
  fault: Fault,
  { seed, seconds, commit = '' }: RoundOptions,
): Promise<RoundResult> {
  const random = new Random(`${fault.name}/${seed}/${stage.backend}`);
  const startedAt = new Date();
  const round = `${fault.name}-${seed}-${startedAt.getTime().toString(36)}`;
  const load = new Load(stage, random, round);
  const result: RoundResult = {
    fault: fault.name,
    seed,
    backend: stage.backend,
    replicas: stage.processes.length / APPS.length,
    startedAt: startedAt.toISOString(),
    commit,
    machineLoad: (os.loadavg()[0] as number) / os.availableParallelism(),
    acknowledged: 0,
    refused: 0,
    repeated: 0,
    waiting: 0,
    strikeSeconds: 0,
    recoveredSeconds: null,
    limitSeconds: fault.limitSeconds,
    restSeconds: null,
    payments: 0,
    settledSeconds: null,
    persons: {},
    callbacks: {},
    violations: [],
  };
  const skipped = fault.impossible?.(stage);
  if (skipped) return { ...result, skipped };

  await fault.prepare?.(stage);
  load.start(await stage.poorTenant(), fault.extra);
  const loadUntil = Date.now() + seconds * 1_000;
  await sleep(random.between(0.25, 0.6) * seconds * 1_000);
  const { seen } = await struck(stage, fault, random, load);
  await sleep(Math.max(1_000, loadUntil - Date.now()));
  await load.stop();
  const restFrom = Date.now();
  [result.restSeconds, result.settledSeconds] = await Promise.all([
    untilRest(stage, restFrom),
    untilSettled(stage, restFrom),
  ]);
  await untilRest(stage, Date.now()); // what was settled last is announced, too
  result.payments = stage.payments.payments.length;
  result.callbacks = await stage.payments.outcomes();
  Object.assign(result, await seen);

  const { calls } = load.journal;
  result.acknowledged = calls.filter(({ outcome }) => outcome === 'acknowledged').length;
  result.refused = calls.filter(({ outcome }) => outcome === 'refused').length;
  result.repeated = calls.filter(({ sent }) => sent > 1).length;
  result.persons = personFigures(load.journal);
  result.violations = [...late(result), ...believed(result), ...(await verdict(stage, load, startedAt))];
  return result;
}

type Watched = Pick<RoundResult, 'waiting' | 'strikeSeconds' | 'recoveredSeconds'>;

/** Strikes, and watches until what waited at that moment is done. Resolves when the fault is healed, with what the watch will see. */
async function struck(stage: Stage, fault: Fault, random: Random, load: Load): Promise<{ seen: Promise<Watched> }> {
  // Deliveries that a failing receiver keeps waiting have a schedule of their own.
  const without = fault.name.startsWith('receiver-') ? ['delivery'] : [];
  const waiting = new Set((await openWork(stage.query, without)).map(({ kind, id }) => `${kind} ${id}`));
  const watch = async (from: number) => {
    for (const deadline = from + fault.limitSeconds * 2_000; Date.now() < deadline; await sleep(LOOK_EVERY_MS)) {
      const open = await openWork(stage.query, without).catch(() => undefined);
      if (open && !open.some(({ kind, id }) => waiting.has(`${kind} ${id}`))) return (Date.now() - from) / 1_000;
    }
    return null;
  };
  const struckAt = Date.now();
  const strike = fault.strike(stage, random, (times) => load.boost(times));
  // What another copy does before the killed one is back counts, too.
  const recovered = fault.countsFrom === 'strike' ? watch(struckAt) : strike.then(() => watch(Date.now()));
  recovered.catch(() => undefined); // the strike says it
  await strike;
  const strikeSeconds = (Date.now() - struckAt) / 1_000;
  const seen = recovered.then((recoveredSeconds) => ({ waiting: waiting.size, strikeSeconds, recoveredSeconds }));
  return { seen };
}

/**
 * Waits until nothing waits. Retries that are far off, and the end of requests that no person answered, are brought forward: their times are
 * tested elsewhere.
 */
export async function untilRest(stage: Stage, from: number): Promise<number | null> {
  for (; Date.now() < from + REST_MS; await sleep(LOOK_EVERY_MS)) {
    await bringForward(stage);
    const open = await openWork(stage.query).catch(() => undefined);
    if (open?.length === 0) return (Date.now() - from) / 1_000;
  }
  return null;
}

async function bringForward(stage: Stage): Promise<void> {
  await stage.sql(
    `update platform.delivery set next_attempt_at = now()
      where next_attempt_at > now() + interval '1 s' and lease_token is null and attempts > 0`,
  );
  await stage.sql(
    `update identity.wallet_presentation set expires_at = now() where status = 'pending' and expires_at > now()`,
  );
  await stage.sql(`update platform.webhook_endpoint set paused_until = null where paused_until is not null`);
}

function late({ recoveredSeconds, limitSeconds }: RoundResult): string[] {
  if (recoveredSeconds !== null && recoveredSeconds <= limitSeconds) return [];
  return [
    `not recovered within ${limitSeconds} s: ${recoveredSeconds === null ? 'work still waits' : `${recoveredSeconds} s`}`,
  ];
}

/** Callbacks of somebody else that were not refused. */
const believed = ({ callbacks }: RoundResult): string[] =>
  Object.entries(callbacks)
    .filter(([outcome]) => /^forged: 2/.test(outcome))
    .map(([outcome, times]) => `a callback that the provider did not sign was taken: ${outcome}, ${times} times`);

/** Everything that the oracle has to say of the stage and of the round's own promises. */
async function verdict(stage: Stage, { journal }: Load, since: Date): Promise<string[]> {
  const { query, stack } = stage;
  const tenants = [stage.healthy, stage.moody];
  const receipts = [];
  for (const { receiver, ...tenant } of tenants)
    receipts.push(...(await brokenReceipts(query, { ...tenant, receipts: receiver.received })));
  const ended = stage.processes.filter(({ running }) => !running);
  return [
    ...(await brokenTopups(query, stage.payments.payments)),
    ...ended.map(({ name }) => `a process ended by itself: ${name}`),
    ...(await brokenPromises(query, journal, stack.signingUrl)),
    ...(await brokenInvariants(query)),
    ...receipts,
    ...(await brokenDocuments(query, stack.signingUrl, tenants, since)),
  ];
}
