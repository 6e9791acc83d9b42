export { RateLimiter } from './rate-limiter.ts';
export type { RateDecision, RateLimitStore } from './store.ts';
