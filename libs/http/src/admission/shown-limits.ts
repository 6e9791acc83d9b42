import type { Limit, RateDecision } from './rate-limits.ts';

/** What limits are shown on: an answer, or whatever collects its headers. */
export interface Shown {
  header(name: string, value: string): Shown;
}

/** Tells a limit in the X-RateLimit headers, and in those of the draft standard. */
export function show(reply: Shown, limit: Limit, decision: RateDecision, policies: string): void {
  const wait = Math.max(0, decision.resetAtSeconds - nowSeconds());
  reply
    .header('x-ratelimit-limit', String(decision.limit))
    .header('x-ratelimit-remaining', String(decision.remaining))
    .header('x-ratelimit-reset', String(decision.resetAtSeconds))
    .header('ratelimit-policy', policies)
    .header('ratelimit', `"${limit.name}";r=${decision.remaining};t=${wait}`);
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
