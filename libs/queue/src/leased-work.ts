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
  carryOut: (work: Work) => Promise<void>;
  /** Pieces in hand at the most. */
  places: number;
  /** Pieces in one claim at the most. Default: as many as there are places. */
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
  private readonly leases: NodeJS.Timeout;
  private readonly batch: number;
  private claiming: Promise<void> | undefined;
  private moreToClaim = false;
  private closed = false;

  constructor(private readonly options: LeasedWorkOptions<Work>) {
    this.batch = options.batch ?? options.places;
    this.leases = setInterval(() => void this.extendLeases(), (options.leaseSeconds * 1_000) / EXTENSIONS);
    this.leases.unref();
  }

  /** There may be work: claims what is due into the free places. Resolves when it is claimed. Throws what the store throws. */
  async wake(): Promise<void> {
    this.moreToClaim = true;
    await this.claim();
  }

  /** Claims no more and lets what is in hand end. */
  async close(): Promise<void> {
    this.closed = true;
    await this.claiming?.catch(() => undefined);
    while (this.settled.size > 0) await Promise.all(this.settled);
    clearInterval(this.leases);
  }

  private claim(): Promise<void> {
    this.claiming ??= this.claimBatches().finally(() => (this.claiming = undefined));
    return this.claiming;
  }

  private async claimBatches(): Promise<void> {
    while (this.moreToClaim && !this.closed && this.inProgress.size < this.options.places) {
      const free = this.options.places - this.inProgress.size;
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
    const run = this.options.carryOut(work).finally(() => {
      this.inProgress.delete(work.lease_token);
      this.settled.delete(run);
      if (this.moreToClaim) this.claim().catch((error: unknown) => this.trouble(error));
    });
    this.settled.add(run);
  }

  private async extendLeases(): Promise<void> {
    const held = [...this.inProgress.values()];
    if (held.length === 0) return;
    try {
      await this.options.store.extend(held);
    } catch (error) {
      this.trouble(error);
    }
  }

  private trouble(error: unknown): void {
    this.options.logger.warn({ error }, 'leased work has trouble with its store; the sweep goes on');
  }
}
