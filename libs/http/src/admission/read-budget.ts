import { type MeteredUnit, STATEMENT_TIMEOUT_MS, type StatementMeter } from '@constancia/persistence';
import { ReadBudgetExceeded } from '@constancia/problem-json';
import { MINUTE, type RateDecision, type RateLimiter } from './rate-limits.ts';

/** The time that one token of the limiter stands for. A read that takes less is free. */
const TOKEN_MS = 50;
/** What one read is charged at most: an export alone keeps the tenant from no other read. */
const MOST_OF_BUDGET = 0.5;
/** What a statement may take where others of the tenant, that run, may use up the budget. */
const SHORTEST_TIMEOUT_MS = 5_000;

/**
 * The time of the store that the reads of a tenant may use in a minute, in all processes together. What a read took is charged afterwards,
 * by the limiter that counts requests; a tenant that used up its budget may begin no read until there is some again. What runs is charged
 * when it ends: until then its longest time is reserved, and what begins meanwhile may take less.
 */
export class ReadBudget {
  private readonly reservedMs = new Map<string, number>();
  private readonly tokens: number;

  constructor(
    private readonly limiter: Pick<RateLimiter, 'charge' | 'refusedFromMemory'>,
    private readonly seconds: number,
    private readonly refused: (policy: string) => void,
  ) {
    this.tokens = (seconds * 1_000) / TOKEN_MS;
  }

  /** Of one read of a tenant. One that has begun is not refused later: an export is whole, or not there. */
  meter(tenantId: string): StatementMeter {
    let usedMs = 0;
    let charged = 0;
    let begun = false;
    return {
      begin: () => {
        if (!begun) this.refuseIfSpent(tenantId);
        begun = true;
        return this.reserve(tenantId);
      },
      add: (ms) => {
        usedMs += ms;
        const tokens = Math.min(Math.floor(usedMs / TOKEN_MS), this.tokens * MOST_OF_BUDGET) - charged;
        if (tokens < 1) return;
        charged += tokens;
        void this.limiter.charge(keyOf(tenantId), tokens, this.tokens, MINUTE);
      },
    };
  }

  private refuseIfSpent(tenantId: string): void {
    const spent = this.limiter.refusedFromMemory?.(keyOf(tenantId), this.tokens);
    if (spent !== undefined) throw this.refusal(spent);
  }

  private reserve(tenantId: string): MeteredUnit {
    const left = this.seconds * 1_000 - (this.reservedMs.get(tenantId) ?? 0);
    const statementTimeoutMs = Math.min(STATEMENT_TIMEOUT_MS, Math.max(SHORTEST_TIMEOUT_MS, left));
    this.addReserved(tenantId, statementTimeoutMs);
    return { statementTimeoutMs, end: () => this.addReserved(tenantId, -statementTimeoutMs) };
  }

  private addReserved(tenantId: string, ms: number): void {
    const reserved = (this.reservedMs.get(tenantId) ?? 0) + ms;
    if (reserved > 0) this.reservedMs.set(tenantId, reserved);
    else this.reservedMs.delete(tenantId);
  }

  private refusal({ retryAfterSeconds }: RateDecision): ReadBudgetExceeded {
    this.refused('reads');
    return new ReadBudgetExceeded(
      `The reads of this tenant used ${this.seconds} s of the store's time within a minute. Wait ${retryAfterSeconds} s, then ask for less: a shorter period, a narrower filter, fewer reads at the same time.`,
      {},
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}

const keyOf = (tenantId: string): string => `reads:tenant:${tenantId}`;
