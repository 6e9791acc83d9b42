import { RateLimitExceeded } from '@constancia/problem-json';

/** A limit that a use case keeps by itself, beside those of the requests. */
export interface OwnLimit {
  /** As in RateLimit-Policy: lower-case letters and hyphens. */
  name: string;
  limit: number;
  windowSeconds: number;
  /** From when the next one passes. */
  until: Date;
  /** A sentence; when it has no full stop, when to come back is added. */
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
