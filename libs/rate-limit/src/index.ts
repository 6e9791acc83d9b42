export type { RateClock } from './memory-store.ts';
export { RateLimiter } from './rate-limiter.ts';
export type { RateLimiterOptions } from './rate-limiter.ts';
export type { RateDecision, RateLimitStore } from './store.ts';
