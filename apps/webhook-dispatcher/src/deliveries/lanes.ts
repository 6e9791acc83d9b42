import { sleep } from '@constancia/kernel';
import { Logger } from '@constancia/telemetry';
import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { AT_ONCE, Batch, type BatchEnd, START_WITHIN_MS } from './batch.ts';
import { type ClaimedDelivery, Deliveries } from './deliveries.ts';
import { DeliveryRun } from './delivery-run.ts';
import { EndpointHealth } from './endpoint-health.ts';

/** Deliveries that one claim takes at most. */
const TAKE = 50;
/** Endpoints served at a time: those that answer, and those that fail or are slow. Waiting for a receiver costs little. */
const FAST_LANES = 256;
const SLOW_LANES = 2_048;
/** After an internal error: not again immediately. */
const INTERNAL_ERROR_PAUSE_MS = 2_000;

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
type Pause = number | null;

/**
 * The delivery loop: a lane per endpoint with work, so that no endpoint waits for another. A lane claims a batch, sends it,
 * and gets in line again behind the other lanes. Endpoints that fail or are slow stand in a line of their own.
 */
@Injectable()
export class Lanes implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly lanes = new Map<string, Lane>();
  private readonly running = new Set<Promise<void>>();
  private readonly fast = pLimit(FAST_LANES);
  private readonly slow = pLimit(SLOW_LANES);
  private readonly stop = new AbortController();

  constructor(
    private readonly deliveries: Deliveries,
    private readonly deliveryRun: DeliveryRun,
    private readonly health: EndpointHealth,
    private readonly logger: Logger,
  ) {}

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

  /** Begins no more attempts, while the rest of the process still drains. */
  onModuleDestroy(): void {
    this.stop.abort();
  }

  /** Waits for the attempts under way; the deliveries that were not attempted are given back. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.running);
  }

  private async run(lane: Lane): Promise<void> {
    for (;;) {
      const line = this.health.isSlowOrFailing(lane.endpointId) ? this.slow : this.fast;
      const rest = await line(() => this.turn(lane));
      if (rest === null) await lane.before?.written();
      // From here to the delete nothing waits: a wake before has set woken, a later one opens a new lane.
      if (this.stop.signal.aborted || (rest === null && !lane.woken)) break;
      if (rest !== null && rest > 0) await sleep(rest, this.stop.signal);
    }
    this.lanes.delete(lane.endpointId);
    await this.settle(lane);
  }

  private async turn(lane: Lane): Promise<Pause> {
    if (this.stop.signal.aborted) return null;
    const { endpointId } = lane;
    try {
      const { deliveries: claimed, atMs } = await this.claimed(lane);
      if (claimed.length === 0) return null;
      const failing = claimed[0]?.failing === true;
      const full = claimed.length >= this.take(endpointId);
      const batch = new Batch(this.deliveryRun, claimed, {
        claimedAtMs: atMs,
        signal: this.stop.signal,
        onLastBegun: full && !failing ? () => this.claimAhead(lane) : undefined,
      });
      const end = await batch.run();
      await lane.before?.written(); // at most two batches' results are on their way
      lane.before = batch;
      if (failing || end !== 'all') await this.settle(lane);
      return this.pauseAfter(endpointId, { end, failing, more: full || lane.ahead !== undefined });
    } catch (error) {
      // The store is unavailable: leases end by themselves and the sweep finds the work.
      this.logger.warn({ endpoint_id: endpointId, error }, 'a lane was interrupted');
      return null;
    }
  }

  private pauseAfter(endpointId: string, past: { end: BatchEnd; failing: boolean; more: boolean }): Pause {
    if (past.end === 'internal-error') return INTERNAL_ERROR_PAUSE_MS;
    if (past.failing || past.end === 'halted') return this.health.cooldownMs(endpointId);
    return past.more ? 0 : null;
  }

  private claimed(lane: Lane): Promise<Claimed> {
    const ahead = lane.ahead ?? this.claim(lane);
    lane.ahead = undefined;
    return ahead;
  }

  private claimAhead(lane: Lane): void {
    lane.ahead = this.claim(lane);
    lane.ahead.catch(() => undefined); // the batch that takes it sees the failure
  }

  private async claim(lane: Lane): Promise<Claimed> {
    lane.woken = false;
    const deliveries = await this.deliveries.claim(lane.endpointId, this.take(lane.endpointId));
    return { deliveries, atMs: performance.now() };
  }

  private take(endpointId: string): number {
    return Math.min(TAKE, this.health.capacity(endpointId, START_WITHIN_MS, AT_ONCE));
  }

  /** Gives back what was claimed ahead, and waits until the store knows all: the next claim must go by it. */
  private async settle(lane: Lane): Promise<void> {
    const ahead = await lane.ahead?.catch(() => undefined);
    lane.ahead = undefined;
    const rest = (ahead?.deliveries ?? []).map((delivery) => this.deliveries.release(delivery));
    await Promise.allSettled([...rest, lane.before?.written()]);
  }
}
