import type { components } from '@constancia/sdk/generated/compliance';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../member/queries.ts';
import { runLines } from '../../parts/run-lines.ts';
import { SCREENINGS } from '../query-keys.ts';
import type { BatchRow } from './batch-rows.ts';

/** A line of the batch, and what came of it. Its key makes a repeated attempt the same screening. */
export interface BatchLine extends BatchRow, LineResult {
  key: string;
}

interface LineResult {
  screening?: components['schemas']['ScreeningView'];
  /** The subject was refused: the others go on. */
  refusal?: unknown;
}

const isDone = ({ screening, refusal }: LineResult): boolean => screening !== undefined || refusal !== undefined;

export const linesOf = (rows: readonly BatchRow[]): BatchLine[] =>
  rows.map((row) => ({ ...row, key: crypto.randomUUID() }));

/** A batch that can be paused. What is under way when it is paused is waited for. */
export function useBatch(initial: readonly BatchLine[]) {
  const call = useCall();
  const queries = useQueryClient();
  const [lines, setLines] = useState(initial);
  const [phase, setPhase] = useState<'ready' | 'running' | 'pausing' | 'stopped'>('ready');
  const [error, setError] = useState<unknown>(null);
  const pausing = useRef(new AbortController());
  useEffect(() => () => pausing.current.abort(), []);

  const keep = ({ key }: BatchLine, result: LineResult): void =>
    setLines((before) => before.map((one) => (one.key === key ? { ...one, ...result } : one)));
  const start = async (): Promise<void> => {
    if (phase === 'running' || phase === 'pausing') return;
    pausing.current = new AbortController();
    setPhase('running');
    setError(null);
    try {
      await runLines(
        lines.filter((line) => !isDone(line)),
        {
          send: ({ body, key }) => {
            const params = { header: { 'Idempotency-Key': key } };
            return call(({ compliance }) => compliance.POST('/v1/screenings', { params, body }));
          },
          onAnswer: (line, screening) => keep(line, { screening }),
          onRefusal: (line, refusal) => keep(line, { refusal }),
          pausing: pausing.current.signal,
        },
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setPhase('stopped');
      for (const queryKey of [SCREENINGS, ['cases']]) void queries.invalidateQueries({ queryKey });
    }
  };
  const pause = (): void => {
    setPhase('pausing');
    pausing.current.abort();
  };
  return {
    lines,
    done: lines.filter(isDone).length,
    refused: lines.filter(({ refusal }) => refusal !== undefined).length,
    phase,
    error,
    start,
    pause,
  };
}
