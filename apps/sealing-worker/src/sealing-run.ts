import type { Logger } from '@constancia/telemetry';
import type { ClaimedRequest, SealingRequests } from './sealing-requests.ts';

/** Requests in one batch at the most (interface document, "Limits"). */
export const BATCH = 10;
/** Batches that are in hand at a time while there is backlog. */
const MOST_BATCHES = 4;
/** Three chances within a lease. */
const EXTEND_EVERY_MS = 6_000;

export interface SealingRunOptions {
  requests: SealingRequests;
  /** Seals one request and writes what came of it. Never rejects. */
  seal: (request: ClaimedRequest) => Promise<void>;
  logger: Logger;
  /** Requests in hand at the most. Default: one batch. */
  places?: number;
}

/**
 * Requests that a worker takes in hand at a time, given its KMS limit: as many as it can sign in about half a second, so that
 * answers which take their time do not leave the limit unused, and none waits for its signature longer than a call may.
 */
export function placesFor(kmsMaxPerSecond: number): number {
  return Math.min(Math.max(BATCH, Math.ceil(kmsMaxPerSecond / 4)), MOST_BATCHES * BATCH);
}

/**
 * Claims batches while there is work and seals them in parallel: the next batch as soon as there is room for one, so that a slow
 * document holds up itself and nothing else.
 */
export class SealingRun {
  private readonly inHand = new Map<string, ClaimedRequest>();
  private readonly settled = new Set<Promise<void>>();
  private readonly leases: NodeJS.Timeout;
  private claiming: Promise<void> | undefined;
  private moreToClaim = false;
  private closed = false;
  private readonly places: number;

  constructor(private readonly options: SealingRunOptions) {
    this.places = options.places ?? BATCH;
    this.leases = setInterval(() => void this.extendLeases(), EXTEND_EVERY_MS);
    this.leases.unref();
  }

  /** There may be work: claims what is due into the free places. Resolves when that batch is claimed. Throws what the store throws. */
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
    while (this.moreToClaim && !this.closed && this.inHand.size < this.places) {
      const free = this.places - this.inHand.size;
      if (free < BATCH && this.inHand.size > BATCH) return; // a whole batch or two at a time, while there is enough to do
      this.moreToClaim = false;
      const asked = Math.min(free, BATCH);
      const batch = await this.options.requests.claim(asked);
      if (batch.length === asked) this.moreToClaim = true;
      for (const request of batch) this.begin(request);
    }
  }

  private begin(request: ClaimedRequest): void {
    this.inHand.set(request.lease_token, request);
    const run = this.options.seal(request).finally(() => {
      this.inHand.delete(request.lease_token);
      this.settled.delete(run);
      if (this.moreToClaim) this.claim().catch((error: unknown) => this.trouble(error));
    });
    this.settled.add(run);
  }

  private async extendLeases(): Promise<void> {
    const held = [...this.inHand.values()];
    if (held.length === 0) return;
    try {
      await this.options.requests.extend(held);
    } catch (error) {
      this.trouble(error);
    }
  }

  private trouble(error: unknown): void {
    this.options.logger.warn({ error }, 'the sealing run has trouble with the store; the sweep goes on');
  }
}
