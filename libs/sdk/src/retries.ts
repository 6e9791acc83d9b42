import { sleep } from '@constancia/kernel';

/** The fetch of this platform, as far as it is used here. */
export type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** Requests in all, the first included; default 4. */
  attempts?: number | undefined;
  /** The longest single wait that is accepted; a longer one is left to the caller, who gets the answer. Default 65,000. */
  maxWaitMs?: number | undefined;
  /** Does the sending; default the platform's fetch. */
  fetch?: Fetch | undefined;
}

const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);
const FIRST_BACKOFF_MS = 250;

/**
 * A fetch that sends a request again when the service asks for it, after the wait that it names (Retry-After, or
 * X-RateLimit-Reset on 429):
 * - 429: always, because a refused request did nothing;
 * - 503, 409 `conflict` with Retry-After (the same Idempotency-Key is still at work) and a broken connection: only where a
 *   repetition is harmless, that is any method but POST and PATCH, or a request that carries an Idempotency-Key.
 *
 * Answers the last response whatever it is; throws the last network error.
 */
export function retryingFetch(options: RetryOptions = {}): Fetch {
  const attempts = options.attempts ?? 4;
  const maxWaitMs = options.maxWaitMs ?? 65_000;
  const send = options.fetch ?? ((request: Request) => fetch(request));
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= attempts;
      const backoffMs = Math.min(maxWaitMs, FIRST_BACKOFF_MS * 2 ** attempt * (0.5 + Math.random() / 2));
      let waitMs = backoffMs;
      try {
        const response = await send(last ? request : request.clone());
        if (last || !worthRepeating(request, response)) return response;
        waitMs = waitOf(response) ?? backoffMs;
        if (waitMs > maxWaitMs) return response;
        await response.body?.cancel();
      } catch (error) {
        if (last || request.signal.aborted || !harmless(request)) throw error;
      }
      await sleep(waitMs, request.signal);
      request.signal.throwIfAborted();
    }
  };
}

function harmless(request: Request): boolean {
  return REPEATABLE.has(request.method) || request.headers.has('idempotency-key');
}

function worthRepeating(request: Request, response: Response): boolean {
  if (response.status === 429) return true;
  if (response.status === 503) return harmless(request);
  return response.status === 409 && response.headers.has('retry-after') && harmless(request);
}

/** Milliseconds to wait, as the answer says; undefined when it says nothing that can be read. */
function waitOf({ status, headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  if (after !== null && /^\d{1,9}$/.test(after)) return Number(after) * 1000;
  if (after !== null && !Number.isNaN(Date.parse(after))) return Math.max(0, Date.parse(after) - Date.now());
  const reset = headers.get('x-ratelimit-reset');
  if (status === 429 && reset !== null && /^\d{1,12}$/.test(reset))
    return Math.max(0, Number(reset) * 1000 - Date.now());
  return undefined;
}
