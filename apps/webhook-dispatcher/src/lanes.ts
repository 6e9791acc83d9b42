import { sleep } from '@constancia/kernel';
import pLimit from 'p-limit';
import { AT_ONCE, Batch, type BatchEnd, type BatchParts, START_WITHIN_MS } from './batch.ts';
import type { ClaimedDelivery } from './deliveries.ts';

/** Deliveries that one claim takes at the most. */
const TAKE = 50;
/** Endpoints served at a time: those that answer, and those that fail or are slow. Waiting for a receiver costs little. */
const SWIFT_LANES = 256;
const PATIENT_LANES = 2_048;
/** After trouble of our own: not at once again. */
const TROUBLE_REST_MS = 2_000;

/** What a claim answered, and when (performance.now()). */
interface Claimed {
  deliveries: ClaimedDelivery[];
  atMs: number;
}

interface Lane {
  endpointId: string;
  /** Somebody said that there is work since the last claim. */
  woken: boolean;
  /** The next claim, made while the batch before it is still under way. */
  ahead?: Promise<Claimed>;
  /** The batch whose results may still be on their way. */
  before?: Batch;
}

/** Milliseconds until the lane goes on; null when nothing is left. */
type Rest = number | null;

/**
 * The delivery loop: a lane per endpoint with work, so that no endpoint waits for another. A lane claims a batch, sends it,
 * and gets in line again behind the other lanes. Endpoints that fail or are slow stand in a line of their own.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly running = new Set<Promise<void>>();
  private readonly swift = pLimit(SWIFT_LANES);
  private readonly patient = pLimit(PATIENT_LANES);
  private readonly stop = new AbortController();
  private readonly parts: BatchParts;

  constructor(parts: Omit<BatchParts, 'signal'>) {
    this.parts = { ...parts, signal: this.stop.signal };
  }

  /** Says that an endpoint has work. Never waits; says the same twice at no cost. */
  wake(endpointId: string): void {
    if (this.stop.signal.aborted) return;
    const lane = this.lanes.get(endpointId);
    if (lane) {
      lane.woken = true;
      return;
    }
    const opened: Lane = { endpointId, woken: false };
    this.lanes.set(endpointId, opened);
    const run = this.run(opened).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Begins no more attempts, waits for those under way, gives the rest back. */
  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  private async run(lane: Lane): Promise<void> {
    for (;;) {
      const line = this.parts.temper.isSlowOrFailing(lane.endpointId) ? this.patient : this.swift;
      const rest = await line(() => this.turn(lane));
      if (rest === null) await lane.before?.written();
      // From here to the delete nothing waits: a wake before has set woken, a later one opens a new lane.
      if (this.stop.signal.aborted || (rest === null && !lane.woken)) break;
      if (rest !== null && rest > 0) await sleep(rest, this.stop.signal);
    }
    this.lanes.delete(lane.endpointId);
    await this.settle(lane);
  }

  private async turn(lane: Lane): Promise<Rest> {
    if (this.stop.signal.aborted) return null;
    const { endpointId } = lane;
    const { logger } = this.parts;
    try {
      const { deliveries: claimed, atMs } = await this.claimed(lane);
      if (claimed.length === 0) return null;
      const failing = claimed[0]?.failing === true;
      const full = claimed.length >= this.take(endpointId);
      const batch = new Batch(this.parts, claimed, {
        claimedAtMs: atMs,
        onLastBegun: full && !failing ? () => this.claimAhead(lane) : undefined,
      });
      const end = await batch.run();
      await lane.before?.written(); // at most two batches' results are on their way
      lane.before = batch;
      if (failing || end !== 'all') await this.settle(lane);
      return this.restAfter(endpointId, { end, failing, more: full || lane.ahead !== undefined });
    } catch (error) {
      // The store is away: leases end by themselves and the sweep finds the work.
      logger.warn({ endpoint_id: endpointId, error }, 'a lane was interrupted');
      return null;
    }
  }

  private restAfter(endpointId: string, past: { end: BatchEnd; failing: boolean; more: boolean }): Rest {
    if (past.end === 'trouble') return TROUBLE_REST_MS;
    if (past.failing || past.end === 'halted') return this.parts.temper.cooldownMs(endpointId);
    return past.more ? 0 : null;
  }

  private claimed(lane: Lane): Promise<Claimed> {
    const ahead = lane.ahead ?? this.claim(lane);
    lane.ahead = undefined;
    return ahead;
  }

  private claimAhead(lane: Lane): void {
    lane.ahead = this.claim(lane);
    lane.ahead.catch(() => undefined); // whoever takes it sees the failure
  }

  private async claim(lane: Lane): Promise<Claimed> {
    lane.woken = false;
    const deliveries = await this.parts.deliveries.claim(lane.endpointId, this.take(lane.endpointId));
    return { deliveries, atMs: performance.now() };
  }

  private take(endpointId: string): number {
    return Math.min(TAKE, this.parts.temper.capacity(endpointId, START_WITHIN_MS, AT_ONCE));
  }

  /** Gives back what was claimed ahead, and waits until the store knows all: the next claim must go by it. */
  private async settle(lane: Lane): Promise<void> {
    const ahead = await lane.ahead?.catch(() => undefined);
    lane.ahead = undefined;
    const rest = (ahead?.deliveries ?? []).map((delivery) => this.parts.deliveries.release(delivery));
    await Promise.allSettled([...rest, lane.before?.written()]);
  }
}
