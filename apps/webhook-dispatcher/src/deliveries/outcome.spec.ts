import { describe, expect, it } from 'vitest';
import { EVENT_EXPIRED, outcomeOf } from './outcome.ts';
import type { Posted } from './post.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function posted(facts: Partial<Posted>): Posted {
  const nothing = { firstByteMs: null, httpStatus: null, retryAfter: null, excerpt: null, error: null };
  return { at: new Date(NOW), durationMs: 5, ...nothing, ...facts };
}

describe('what an attempt means', () => {
  it.each([200, 201, 202, 204, 299])('%i delivers', (httpStatus) =>
    expect(outcomeOf(posted({ httpStatus, retryAfter: '60' }), 3, 0, NOW)).toMatchObject({
      outcome: 'delivered',
      pauseMs: null,
      errorCode: null,
    }),
  );

  it.each([
    [301, 'redirect_refused'],
    [307, 'redirect_refused'],
    [304, 'redirect_refused'],
    [400, 'http_status'],
    [404, 'http_status'],
    [429, 'http_status'],
    [500, 'http_status'],
    [503, 'http_status'],
    [600, 'http_status'],
  ])('%i is tried again: %s', (httpStatus, errorCode) =>
    expect(outcomeOf(posted({ httpStatus }), 0, 0.5, NOW)).toMatchObject({
      outcome: 'retry',
      retryMs: 5_000,
      pauseMs: null,
      gone: false,
      errorCode,
    }),
  );

  it('410 fails at once and takes the endpoint with it', () =>
    expect(outcomeOf(posted({ httpStatus: 410, retryAfter: '5' }), 0, 0, NOW)).toMatchObject({
      outcome: 'failed',
      retryMs: null,
      pauseMs: null,
      gone: true,
      errorCode: 'gone',
    }));

  it('no answer is tried again with its own reason', () =>
    expect(outcomeOf(posted({ error: { code: 'timeout', detail: '…' } }), 1, 0.5, NOW)).toMatchObject({
      outcome: 'retry',
      retryMs: 30_000,
      errorCode: 'timeout',
    }));

  it('the twelfth failure is the last', () => {
    expect(outcomeOf(posted({ httpStatus: 500 }), 10, 0, NOW).outcome).toBe('retry');
    expect(outcomeOf(posted({ httpStatus: 500 }), 11, 0, NOW)).toMatchObject({ outcome: 'failed', retryMs: null });
  });

  it('Retry-After puts the retry off and pauses the endpoint, and does not bring it forward', () => {
    const asked = (retryAfter: string, attemptsBefore: number) =>
      outcomeOf(posted({ httpStatus: 503, retryAfter }), attemptsBefore, 0.5, NOW);
    expect(asked('60', 0)).toMatchObject({ retryMs: 60_000, pauseMs: 60_000 });
    expect(asked('60', 3)).toMatchObject({ retryMs: 600_000, pauseMs: 60_000 });
    expect(asked('7200', 0)).toMatchObject({ retryMs: 3_600_000, pauseMs: 3_600_000 });
    expect(asked('60', 11)).toMatchObject({ outcome: 'failed', pauseMs: 60_000 });
  });

  it('a body that retention has taken cannot be sent by any later attempt', () =>
    expect(outcomeOf(posted({ error: { code: EVENT_EXPIRED, detail: '…' } }), 0, 0, NOW)).toMatchObject({
      outcome: 'failed',
      gone: false,
    }));
});
