import { endsWithin, PeriodicTask } from '@constancia/kernel';
import type { QueueLogger } from './queue-logger.ts';

/** A piece of work that a claim gave to this process for a while. The token fences what is written about it. */
export interface Leased {
  lease_token: string;
}

/** Where the work stands. */
export interface LeaseStore<Work extends Leased> {
  /** Leases work that is due, at most `limit` pieces. */
  claim(limit: number): Promise<Work[]>;
  /** Prolongs leases. Those that were lost meanwhile stay lost. */
  extend(works: readonly Work[]): Promise<unknown>;
}

export interface LeasedWorkOptions<Work extends Leased> {
  store: LeaseStore<Work>;
  /** How long a claim or its extension holds. */
  leaseSeconds: number;
  /** Works on one piece and writes what came of it. Never rejects. */
  work: (work: Work) => Promise<void>;
  /** Pieces in progress at most. */
  concurrency: number;
  /** Pieces in one claim at most. Default: `concurrency`. */
  batch?: number;
  logger: Pick<QueueLogger, 'warn'>;
}

/** Chances to extend within a lease. */
const EXTENSIONS = 3;

/**
 * Claims work while there is any and works on it in parallel: the next claim as soon as there is room for one, so that a slow
 * piece holds up itself and nothing else.
 */
export class LeasedWork<Work extends Leased> {
  private readonly inProgress = new Map<string, Work>();
  private readonly settled = new Set<Promise<void>>();
  private readonly leases: PeriodicTask;
  private readonly batch: number;
  private readonly extendEveryMs: number;
  private claiming: Promise<void> | undefined;
  private moreToClaim = false;
  private closed = false;

  constructor(private readonly options: LeasedWorkOptions<Work>) {
    this.batch = options.batch ?? options.concurrency;
    const { leaseSeconds, logger } = options;
    this.extendEveryMs = (leaseSeconds * 1_000) / EXTENSIONS;
    this.leases = new PeriodicTask({
      name: 'lease-extension',
      everyMs: this.extendEveryMs,
      logger,
      run: () => this.extendLeases(),
    });
    this.leases.start();
  }

  /** There may be work: claims what is due as far as there is room. Resolves when it is claimed. Throws what the store throws. */
  async wake(): Promise<void> {
    this.moreToClaim = true;
    await this.claim();
  }

  /** Claims no more. */
  stop(): void {
    this.closed = true;
  }

  /** Claims no more and waits for the work in progress. */
  async close(): Promise<void> {
    this.stop();
    await this.claiming?.catch(() => undefined);
    while (this.settled.size > 0) await Promise.all(this.settled);
    await this.leases.close();
  }

  private claim(): Promise<void> {
    this.claiming ??= this.claimBatches().finally(() => (this.claiming = undefined));
    return this.claiming;
  }

  private async claimBatches(): Promise<void> {
    while (this.moreToClaim && !this.closed && this.inProgress.size < this.options.concurrency) {
      const free = this.options.concurrency - this.inProgress.size;
      if (free < this.batch && this.inProgress.size > this.batch) return; // whole batches, while there is enough to do
      this.moreToClaim = false;
      const asked = Math.min(free, this.batch);
      const claimed = await this.options.store.claim(asked);
      if (claimed.length === asked) this.moreToClaim = true;
      for (const work of claimed) this.begin(work);
    }
  }

  private begin(work: Work): void {
    this.inProgress.set(work.lease_token, work);
    const run = this.options.work(work).finally(() => {
      this.inProgress.delete(work.lease_token);
      this.settled.delete(run);
      if (this.moreToClaim) this.claim().catch((error: unknown) => this.logFailedClaim(error));
    });
    this.settled.add(run);
  }

  /** A call on a connection that does not answer is not awaited until the leases are over: the next one takes another connection. */
  private async extendLeases(): Promise<void> {
    const held = [...this.inProgress.values()];
    const limitMs = this.extendEveryMs / 2;
    if (held.length > 0 && !(await endsWithin(limitMs, this.options.store.extend(held))))
      throw new Error(`leases were not extended within ${Math.round(limitMs)} ms`);
  }

  private logFailedClaim(error: unknown): void {
    this.options.logger.warn({ error }, 'leased work could not be claimed; the sweep goes on');
  }
}
