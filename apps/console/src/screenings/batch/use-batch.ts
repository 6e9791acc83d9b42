import type { components } from '@constancia/sdk/generated/compliance';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import type { BatchRow } from './batch-rows.ts';

/** A line of the batch, and what came of it. Its key makes a repeated attempt the same screening. */
export interface BatchLine extends BatchRow {
  key: string;
  screening?: components['schemas']['ScreeningView'];
  /** The subject was refused: the others go on. */
  refusal?: unknown;
}

export const linesOf = (rows: readonly BatchRow[]): BatchLine[] =>
  rows.map((row) => ({ ...row, key: crypto.randomUUID() }));

const isDone = ({ screening, refusal }: BatchLine): boolean => screening !== undefined || refusal !== undefined;

/** Answers that are about one subject, and not about all that follow. */
const OF_ONE_SUBJECT = [400, 409, 413, 422];
const LONGEST_WAIT_S = 60;

/** Screens line after line. It pauses when asked to, or when something is wrong that the next line would meet as well. */
export function useBatch(initial: readonly BatchLine[]) {
  const call = useCall();
  const queries = useQueryClient();
  const [lines, setLines] = useState(initial);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const paused = useRef(false);
  useEffect(() => () => void (paused.current = true), []);

  const screen = async ({ body, key }: BatchLine): Promise<Partial<BatchLine>> => {
    const params = { header: { 'Idempotency-Key': key } };
    for (;;) {
      try {
        return { screening: await call(({ compliance }) => compliance.POST('/v1/screenings', { params, body })) };
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        if (failure.status === 429 && !paused.current) {
          await new Promise((resolve) =>
            setTimeout(resolve, 1000 * Math.min(failure.waitSeconds ?? 1, LONGEST_WAIT_S)),
          );
        } else if (OF_ONE_SUBJECT.includes(failure.status)) return { refusal: failure };
        else throw failure;
      }
    }
  };

  const start = async (): Promise<void> => {
    if (running) return;
    paused.current = false;
    setRunning(true);
    setError(null);
    try {
      for (const line of lines.filter((one) => !isDone(one))) {
        if (paused.current) break;
        const came = await screen(line);
        setLines((before) => before.map((one) => (one.key === line.key ? { ...one, ...came } : one)));
      }
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
      for (const key of ['screenings', 'cases']) void queries.invalidateQueries({ queryKey: [key] });
    }
  };
  const pause = (): void => void (paused.current = true);
  return { lines, done: lines.filter(isDone).length, running, error, start, pause };
}
