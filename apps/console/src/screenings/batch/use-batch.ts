import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../member/queries.ts';
import { SCREENINGS } from '../query-keys.ts';
import type { BatchRow } from './batch-rows.ts';
import { type BatchLine, isDone, screenLines } from './screen-lines.ts';

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

  const start = async (): Promise<void> => {
    if (phase === 'running' || phase === 'pausing') return;
    pausing.current = new AbortController();
    setPhase('running');
    setError(null);
    try {
      await screenLines(lines, {
        send: ({ body, key }) => {
          const params = { header: { 'Idempotency-Key': key } };
          return call(({ compliance }) => compliance.POST('/v1/screenings', { params, body }));
        },
        onResult: ({ key }, result) =>
          setLines((before) => before.map((one) => (one.key === key ? { ...one, ...result } : one))),
        pausing: pausing.current.signal,
      });
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
