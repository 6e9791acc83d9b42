import { sleep } from '@constancia/kernel';
import type { Logger } from '@constancia/telemetry';
import type { Attempts } from './attempt.ts';
import type { ClaimedDelivery, Deliveries } from './deliveries.ts';
import type { DispatcherMetrics } from './metrics.ts';
import { outcomeOf } from './outcome.ts';
import { FAILING_AFTER, type Temper } from './temper.ts';
import { Turnstile } from './turnstile.ts';

/** Deliveries that one claim takes at the most, and how many of them are under way at a time. */
const TAKE = 50;
const AT_ONCE = 8;
/** After a claim no attempt begins later than this: with a whole attempt it still ends within the lease. */
const START_WITHIN_MS = 15_000;
/** Endpoints served at a time: those that answer, and those that fail or are slow. Waiting for a receiver costs little. */
const SWIFT_LANES = 256;
const PATIENT_LANES = 2_048;
/** After trouble of our own: not at once again. */
const TROUBLE_REST_MS = 2_000;

interface Lane {
  endpointId: string;
  /** Somebody said that there is work since the last claim. */
  woken: boolean;
}

/** How a lane goes on: nothing left, again at once, or again after a rest. */
type Next = { again: false } | { again: true; restMs: number };
const DONE: Next = { again: false };
const AGAIN: Next = { again: true, restMs: 0 };

/**
 * The delivery loop: a lane per endpoint with work, so that no endpoint waits for another. A lane claims a batch, posts it,
 * and gets in line again behind the other lanes. Endpoints that fail or are slow stand in a line of their own.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly running = new Set<Promise<void>>();
  private readonly swift = new Turnstile(SWIFT_LANES);
  private readonly patient = new Turnstile(PATIENT_LANES);
  private readonly stop = new AbortController();

  constructor(
    private readonly deliveries: Deliveries,
    private readonly attempts: Pick<Attempts, 'make'>,
    private readonly temper: Temper,
    private readonly metrics: DispatcherMetrics,
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
    const opened = { endpointId, woken: false };
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
      const line = this.temper.isPatient(lane.endpointId) ? this.patient : this.swift;
      const next = await line.pass(() => this.turn(lane));
      // Only here, with no await in between, may a lane end: a wake before this point has set woken, one after opens a new lane.
      if (this.stop.signal.aborted || (!next.again && !lane.woken)) break;
      if (next.again && next.restMs > 0) await sleep(next.restMs, this.stop.signal);
    }
    this.lanes.delete(lane.endpointId);
  }

  private async turn(lane: Lane): Promise<Next> {
    if (this.stop.signal.aborted) return DONE;
    lane.woken = false;
    const { endpointId } = lane;
    try {
      const take = Math.min(TAKE, this.temper.capacity(endpointId, START_WITHIN_MS, AT_ONCE));
      const batch = await this.deliveries.claim(endpointId, take);
      if (batch.length === 0) return DONE;
      const failing = batch[0]?.failing === true;
      const calm = await this.deliverBatch(batch);
      if (!calm) return { again: true, restMs: TROUBLE_REST_MS };
      if (failing) return { again: true, restMs: this.temper.restMs(endpointId) };
      return batch.length === take ? AGAIN : DONE;
    } catch (error) {
      // The store is away, or a result could not be written: the lease ends by itself and the sweep finds the work.
      this.logger.warn({ endpoint_id: endpointId, error }, 'a lane was interrupted');
      return DONE;
    }
  }

  /** Attempts a batch, AT_ONCE at a time, as long as it makes sense; answers whether all went well on our side. */
  private async deliverBatch(batch: ClaimedDelivery[]): Promise<boolean> {
    const startUntil = performance.now() + START_WITHIN_MS;
    const writes: Promise<boolean>[] = [];
    let nextIndex = 0;
    let failuresInRow = 0;
    let halted = false;
    let calm = true;
    const mayStart = () =>
      nextIndex < batch.length && !halted && !this.stop.signal.aborted && performance.now() < startUntil;
    const attemptOnes = async () => {
      while (mayStart()) {
        const delivery = batch[nextIndex++] as ClaimedDelivery;
        const result = await this.attempt(delivery, writes);
        if (result === 'trouble') calm = false;
        failuresInRow = result === 'delivered' ? 0 : failuresInRow + 1;
        if (result === 'halt' || result === 'trouble' || failuresInRow >= FAILING_AFTER) halted = true;
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, batch.length) }, attemptOnes));
    for (const delivery of batch.slice(nextIndex)) writes.push(this.written(this.deliveries.release(delivery)));
    const written = await Promise.all(writes);
    this.metrics.fenced(written.filter((ok) => !ok).length);
    return calm;
  }

  private async attempt(
    delivery: ClaimedDelivery,
    writes: Promise<boolean>[],
  ): Promise<'delivered' | 'failed' | 'halt' | 'trouble'> {
    try {
      const posted = await this.attempts.make(delivery);
      const outcome = outcomeOf(posted, delivery.schedule_step, Math.random(), Date.now());
      const delivered = outcome.outcome === 'delivered';
      this.temper.note(delivery.endpoint_id, delivered, posted.durationMs);
      this.metrics.attempted(delivery, posted, outcome.outcome);
      writes.push(this.written(this.deliveries.record(delivery, posted, outcome)));
      if (delivered) return 'delivered';
      return outcome.gone || outcome.pauseMs !== null ? 'halt' : 'failed';
    } catch (error) {
      this.logger.error({ delivery_id: delivery.delivery_id, error }, 'an attempt could not be made');
      writes.push(this.written(this.deliveries.release(delivery)));
      return 'trouble';
    }
  }

  /** Whether a result got into the store. One that did not is made again once its lease has ended. */
  private async written(write: Promise<boolean>): Promise<boolean> {
    try {
      return await write;
    } catch (error) {
      this.logger.warn({ error }, 'a result could not be written');
      return false;
    }
  }
}
