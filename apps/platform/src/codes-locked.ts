import { RateLimitExceeded } from '@constancia/problem-json';

/** The answer to a code while its address is locked by wrong ones. */
export function codesLocked(seconds: number): RateLimitExceeded {
  const minutes = Math.ceil(seconds / 60);
  return new RateLimitExceeded(
    `Five wrong codes: wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then ask for another code.`,
    {},
    { 'Retry-After': String(seconds) },
  );
}
