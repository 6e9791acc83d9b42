import { ApiError } from './api-error.ts';

/** Whether nothing was done or is in progress; only then the next attempt gets a new key. */
export const isFinal = (failure: unknown): boolean =>
  failure instanceof ApiError &&
  failure.status < 500 &&
  failure.status !== 401 &&
  failure.status !== 429 &&
  failure.slug !== 'conflict';
