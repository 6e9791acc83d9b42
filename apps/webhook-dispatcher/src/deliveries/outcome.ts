import type { Posted } from './post.ts';
import { retryAfterMs, retryDelayMs } from './retry-schedule.ts';

/** The stored body is gone: no later attempt could do better. */
export const EVENT_EXPIRED = 'event_expired';

/** What an attempt means for its delivery and for its endpoint. */
export interface Outcome {
  /** delivered and failed end the delivery; retry queues it again. */
  outcome: 'delivered' | 'retry' | 'failed';
  retryMs: number | null;
  /** Nothing goes to this endpoint for as long. */
  pauseMs: number | null;
  /** 410: the receiver is gone for good; the endpoint is disabled. */
  gone: boolean;
  errorCode: string | null;
  errorDetail: string | null;
}

/**
 * Decides what follows from an attempt: 2xx delivers; 410 fails at once and disables the endpoint; anything else is tried
 * again by the schedule, not before Retry-After, which also pauses the endpoint; after the last attempt it fails.
 *
 * @param attemptsBefore attempts made before this one since the delivery was put in line
 */
export function outcomeOf(posted: Posted, attemptsBefore: number, random: number, nowMs: number): Outcome {
  const status = posted.httpStatus;
  if (status !== null && status >= 200 && status < 300) {
    return { outcome: 'delivered', retryMs: null, pauseMs: null, gone: false, errorCode: null, errorDetail: null };
  }
  const { code, detail } = posted.error ?? answerError(status as number);
  const gone = status === 410;
  const scheduledMs = gone || code === EVENT_EXPIRED ? null : retryDelayMs(attemptsBefore, random);
  const pauseMs = gone ? null : retryAfterMs(posted.retryAfter, nowMs);
  return {
    outcome: scheduledMs === null ? 'failed' : 'retry',
    retryMs: scheduledMs === null ? null : Math.max(scheduledMs, pauseMs ?? 0),
    pauseMs,
    gone,
    errorCode: code,
    errorDetail: detail,
  };
}

function answerError(status: number): { code: string; detail: string } {
  if (status === 410) return { code: 'gone', detail: 'The receiver answered 410: the endpoint was disabled.' };
  if (status >= 300 && status < 400) {
    return { code: 'redirect_refused', detail: `The receiver answered ${status}: redirects are not followed.` };
  }
  return { code: 'http_status', detail: `The receiver answered ${status} instead of 2xx.` };
}
