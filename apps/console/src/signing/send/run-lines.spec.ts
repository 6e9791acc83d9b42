import { Unreachable } from '@constancia/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { runLines } from './run-lines.ts';

const refusal = (status: number, slug: string, waitSeconds: number | null = null): ApiError =>
  new ApiError({ status, waitSeconds, document: { type: `https://constancia.example/problems/${slug}` } });

describe('a run of lines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Sends `lines`; each attempt gets the next answer. */
  function runOf(lines: readonly string[], answers: readonly (string | Error | (() => Promise<string>))[]) {
    const pausing = new AbortController();
    const sent: string[] = [];
    const results: [line: string, result: 'answer' | 'refusal' | 'left', of: unknown][] = [];
    const left = [...answers];
    const ended = runLines(lines, {
      send: async (line) => {
        sent.push(line);
        const answer = left.shift();
        if (answer === undefined) throw new Error('sent more often than the test expects');
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer() : answer;
      },
      onAnswer: (line, answer) => results.push([line, 'answer', answer]),
      onRefusal: (line, failure) => results.push([line, 'refusal', failure]),
      onLeft: (line, failure) => results.push([line, 'left', failure]),
      isOfOneLine: ({ slug }) => slug === 'of-one-line',
      pausing: pausing.signal,
    });
    return { ended, sent, results, pause: () => pausing.abort() };
  }

  it.each([
    ['that is always about one line', refusal(400, 'validation-error')],
    ['that is so in this run', refusal(429, 'of-one-line', 86_400)],
  ])('goes on after a refusal %s, and says so of this one', async (_, refused) => {
    const { ended, results } = runOf(['a', 'b'], [refused, 'done']);
    await ended;
    expect(results).toEqual([
      ['a', 'refusal', refused],
      ['b', 'answer', 'done'],
    ]);
  });

  it.each([
    ['too many requests', refusal(429, 'rate-limit-exceeded', 3), 3000],
    ['the same request that still runs', refusal(409, 'conflict', 1), 1000],
    ['the same request that still runs, at most a minute later', refusal(409, 'conflict', 90), 60_000],
  ])('repeats a line after %s', async (_, failure, waitMs) => {
    const { ended, sent, results } = runOf(['a'], [failure, 'done']);
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(sent).toEqual(['a', 'a']);
    expect(results).toEqual([['a', 'answer', 'done']]);
  });

  it.each([
    ['too little money', refusal(402, 'insufficient-acai')],
    ['a server that fails', refusal(503, 'database-unavailable')],
    ['a lost answer', new Unreachable('the answer was cut off')],
    ['a wait of an hour', refusal(429, 'rate-limit-exceeded', 3600)],
  ])('ends at what the next line would meet as well, and leaves the line to be continued: %s', async (_, failure) => {
    const { ended, sent, results } = runOf(['a', 'b'], [failure]);
    await expect(ended).rejects.toBe(failure);
    expect([sent, results]).toEqual([['a'], [['a', 'left', failure]]]);
  });

  it('sends nothing more once it is paused: what is under way is waited for', async () => {
    let answer: (of: string) => void = () => undefined;
    const slow = (): Promise<string> => new Promise((resolve) => (answer = resolve));
    const { ended, sent, results, pause } = runOf(['a', 'b'], [slow]);
    pause();
    answer('done');
    await ended;
    expect([sent, results]).toEqual([['a'], [['a', 'answer', 'done']]]);
  });

  it.each([refusal(429, 'rate-limit-exceeded', 60), refusal(409, 'conflict', 1)])(
    'ends a wait when it is paused, and does not send the line again: $slug',
    async (failure) => {
      const { ended, sent, results, pause } = runOf(['a', 'b'], [failure]);
      await vi.advanceTimersByTimeAsync(10);
      pause();
      await ended;
      expect([sent, results]).toEqual([['a'], [['a', 'left', failure]]]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});
