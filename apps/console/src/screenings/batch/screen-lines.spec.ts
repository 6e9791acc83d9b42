import type { components } from '@constancia/sdk/generated/compliance';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { type BatchLine, type LineResult, screenLines } from './screen-lines.ts';

type Screening = components['schemas']['ScreeningView'];

const lineOf = (ref: string): BatchLine => ({
  line: 2,
  key: `key of ${ref}`,
  body: { validation_code: 'tour', subject_ref: ref, subject_type: 'natural', payload: {} },
});
const screened = { id: 'scr_1' } as Screening;
const refusal = (status: number, slug: string, waitSeconds: number | null = null): ApiError =>
  new ApiError({ status, waitSeconds, document: { type: `https://constancia.example/problems/${slug}` } });

describe('a batch of screenings', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Screens `refs`; each attempt gets the next answer. */
  function batchOf(refs: readonly string[], answers: readonly (Screening | Error | (() => Promise<Screening>))[]) {
    const pausing = new AbortController();
    const keys: string[] = [];
    const results: [ref: string, result: LineResult][] = [];
    const left = [...answers];
    const ended = screenLines(refs.map(lineOf), {
      send: async ({ key }) => {
        keys.push(key);
        const answer = left.shift();
        if (answer === undefined) throw new Error('sent more often than the test expects');
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer() : answer;
      },
      onResult: ({ body }, result) => results.push([body.subject_ref, result]),
      pausing: pausing.signal,
    });
    return { ended, keys, results, pause: () => pausing.abort() };
  }

  it('goes on after a subject that is refused, and says so of this one', async () => {
    const refused = refusal(400, 'validation-error');
    const { ended, results } = batchOf(['a', 'b'], [refused, screened]);
    await ended;
    expect(results).toEqual([
      ['a', { refusal: refused }],
      ['b', { screening: screened }],
    ]);
  });

  it.each([
    ['too many requests', refusal(429, 'rate-limit-exceeded', 3), 3000],
    ['the same request that still runs', refusal(409, 'conflict', 1), 1000],
  ])('repeats a line with its key after %s', async (_, failure, waitMs) => {
    const { ended, keys, results } = batchOf(['a'], [failure, screened]);
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(keys).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(keys).toEqual(['key of a', 'key of a']);
    expect(results).toEqual([['a', { screening: screened }]]);
  });

  it('ends at what the next line would meet as well, and leaves the line to be continued', async () => {
    const { ended, keys, results } = batchOf(['a', 'b'], [refusal(402, 'insufficient-acai')]);
    await expect(ended).rejects.toThrow(ApiError);
    expect([keys, results]).toEqual([['key of a'], []]);
  });

  it('sends nothing more once it is paused or left: what is under way is waited for', async () => {
    let answer: (screening: Screening) => void = () => undefined;
    const slow = (): Promise<Screening> => new Promise((resolve) => (answer = resolve));
    const { ended, keys, results, pause } = batchOf(['a', 'b'], [slow]);
    pause();
    answer(screened);
    await ended;
    expect([keys, results]).toEqual([['key of a'], [['a', { screening: screened }]]]);
  });

  it('ends a wait when it is paused, and does not send the line again', async () => {
    const { ended, keys, results, pause } = batchOf(['a'], [refusal(429, 'rate-limit-exceeded', 60)]);
    await vi.advanceTimersByTimeAsync(10);
    pause();
    await ended;
    expect([keys, results]).toEqual([['key of a'], []]);
  });

  it('leaves out what is done already', async () => {
    const send = vi.fn(() => Promise.resolve(screened));
    const lines = [{ ...lineOf('a'), screening: screened }, { ...lineOf('b'), refusal: 'refused' }, lineOf('c')];
    await screenLines(lines, { send, onResult: () => undefined, pausing: new AbortController().signal });
    expect(send.mock.calls).toEqual([[lines[2]]]);
  });
});
