import { RateLimitExceeded } from '@constancia/problem-json';

/** A limit that a use case enforces, in addition to the limits on requests. */
export interface OwnLimit {
  /** As in RateLimit-Policy: lower-case letters and hyphens. */
  name: string;
  limit: number;
  windowSeconds: number;
  /** When the next one is accepted. */
  until: Date;
  /** A sentence; without a full stop, the time to wait is appended. */
  detail: string;
  members?: Record<string, unknown>;
}

/** 429 of such a limit: its headers take the place of those of the general limits. */
export function overOwnLimit({ name, limit, windowSeconds, until, detail, members = {} }: OwnLimit): RateLimitExceeded {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000));
  const sentence = detail.endsWith('.') ? detail : `${detail}: try again in ${seconds} s.`;
  return new RateLimitExceeded(sentence, members, {
    'Retry-After': String(seconds),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(until.getTime() / 1_000)),
    'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${name}";r=0;t=${seconds}`,
  });
}
