import { shape } from '@constancia/contracts';

const POLICY = '"[a-z-]{1,64}";q=\\d{1,10};w=\\d{1,10}';

/** Headers of every answer of every operation, and those of some problems. */
export const ANSWER_HEADERS = {
  RequestId: {
    required: true,
    description: 'The one that was sent, when it has 8 to 64 letters, digits, hyphens and underscores; else a new one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  },
  RateLimitLimit: { required: true, description: 'Requests per window.', schema: { ...shape.count(), minimum: 1 } },
  RateLimitRemaining: { required: true, description: 'Requests left now.', schema: shape.count() },
  RateLimitReset: {
    required: true,
    description: 'Epoch seconds. Waiting until then always suffices for the next request.',
    schema: { ...shape.wide, minimum: 1 },
  },
  RateLimit: {
    required: true,
    description: 'The same as a structured field (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', pattern: '^"[a-z-]{1,64}";r=\\d{1,10};t=\\d{1,10}$' },
  },
  RateLimitPolicy: {
    required: true,
    description: 'The limits that count this request.',
    schema: { type: 'string', pattern: `^${POLICY}(?:, ${POLICY}){0,4}$` },
  },
  RetryAfter: { required: true, description: 'Seconds to wait.', schema: shape.count() },
  RetryAfterConflict: {
    required: false,
    description: 'Seconds to wait, where the conflict ends by itself: something else is under way.',
    schema: shape.count(),
  },
  Age: {
    required: false,
    description: 'Of an answer from a copy of the store: what was written so many seconds ago is in it.',
    schema: shape.count(),
  },
} as const;

const ref = (name: keyof typeof ANSWER_HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** The headers that no answer lacks. */
export function answerHeaders(): Record<string, unknown> {
  return {
    'X-Request-Id': ref('RequestId'),
    'X-RateLimit-Limit': ref('RateLimitLimit'),
    'X-RateLimit-Remaining': ref('RateLimitRemaining'),
    'X-RateLimit-Reset': ref('RateLimitReset'),
    RateLimit: ref('RateLimit'),
    'RateLimit-Policy': ref('RateLimitPolicy'),
  };
}

/** Those of an answer that may be stale. */
export function staleHeaders(): Record<string, unknown> {
  return { Age: ref('Age') };
}

/** The headers of a problem: 429 and 503 say when to come back, and so may a conflict. */
export function problemHeaders(status: number, slugs: readonly string[]): Record<string, unknown> {
  if (status === 429 || status === 503) return { ...answerHeaders(), 'Retry-After': ref('RetryAfter') };
  return slugs.includes('conflict')
    ? { ...answerHeaders(), 'Retry-After': ref('RetryAfterConflict') }
    : answerHeaders();
}
