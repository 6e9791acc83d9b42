import type { Logger } from '@constancia/telemetry';
import type { ClaimedRequest, SealingRequests } from './sealing-requests.ts';

/** Requests in hand at the most, and so in one batch (interface document, "Limits"). */
export const BATCH = 10;
/** Three chances within a lease. */
const EXTEND_EVERY_MS = 6_000;

export interface SealingRunOptions {
  requests: SealingRequests;
  /** Seals one request and writes what came of it. Never rejects. */
  seal: (request: ClaimedRequest) => Promise<void>;
  logger: Logger;
}

/**
 * Claims batches while there is work and seals them in parallel. A place that becomes free is filled at once: a slow document
 * holds up itself, not the batch.
 */
export class SealingRun {
  private readonly inHand = new Map<string, ClaimedRequest>();
  private readonly settled = new Set<Promise<void>>();
  private readonly leases: NodeJS.Timeout;
  private claiming: Promise<void> | undefined;
  private moreToClaim = false;
  private closed = false;

  constructor(private readonly options: SealingRunOptions) {
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
    while (this.moreToClaim && !this.closed && this.inHand.size < BATCH) {
      this.moreToClaim = false;
      const free = BATCH - this.inHand.size;
      const batch = await this.options.requests.claim(free);
      if (batch.length === free) this.moreToClaim = true;
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
