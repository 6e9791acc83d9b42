import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

interface Seen {
  failuresInRow: number;
  averageMs: number;
}

/** As in platform.claim_deliveries: from as many failures in a row on, an endpoint gets one delivery at a time. */
export const FAILING_AFTER = 5;
const SLOW_MS = 2_000;
const REST_PER_FAILURE_MS = 4;
const MAX_REST_MS = 1_000;
const UNKNOWN: Readonly<Seen> = { failuresInRow: 0, averageMs: 0 };

/** What this process has lately seen of each endpoint: how it fails and how slow it is. A guess to plan by; Postgres decides. */
@Injectable()
export class EndpointHealth {
  private readonly seen = new LRUCache<string, Seen>({ max: 20_000, ttl: 10 * 60_000 });

  note(endpointId: string, delivered: boolean, durationMs: number): void {
    const { failuresInRow, averageMs } = this.seen.get(endpointId) ?? UNKNOWN;
    this.seen.set(endpointId, {
      failuresInRow: delivered ? 0 : failuresInRow + 1,
      averageMs: averageMs === 0 ? durationMs : averageMs * 0.8 + durationMs * 0.2,
    });
  }

  /** Whether work for this endpoint takes long for what it yields: it waits in a line of its own then. */
  isSlowOrFailing(endpointId: string): boolean {
    const { failuresInRow, averageMs } = this.seen.get(endpointId) ?? UNKNOWN;
    return failuresInRow >= FAILING_AFTER || averageMs > SLOW_MS;
  }

  /** Pause between two probes of a failing endpoint: short for a hiccup, a second for one that is long dead. */
  cooldownMs(endpointId: string): number {
    return Math.min(MAX_REST_MS, (this.seen.get(endpointId) ?? UNKNOWN).failuresInRow * REST_PER_FAILURE_MS);
  }

  /** How many deliveries this endpoint can be expected to take within `withinMs`, `atOnce` at a time. */
  capacity(endpointId: string, withinMs: number, atOnce: number): number {
    const { averageMs } = this.seen.get(endpointId) ?? UNKNOWN;
    return Math.max(1, Math.floor((withinMs * atOnce) / Math.max(averageMs, 1)));
  }
}
