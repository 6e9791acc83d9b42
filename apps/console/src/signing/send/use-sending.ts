import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { runLines } from './run-lines.ts';
import { ENVELOPES } from '../envelopes/use-envelope.ts';
import type { EnvelopeBody } from './envelope-key.ts';
import { mayBeSent, useSendEnvelope } from './use-send-envelope.ts';

/** One envelope on its way. `before`: it was sent in the last 24 hours already. `unknown`: nobody knows whether it was sent. */
export interface Sending {
  body: EnvelopeBody;
  /** How often it is sent again on purpose. */
  copy: number;
  status: 'waiting' | 'sending' | 'sent' | 'before' | 'failed' | 'unknown';
  /** Of what was sent. */
  id?: string | null;
  error?: unknown;
}

/** One address gets no more mails today: others may. */
const isOfOneEnvelope = ({ status }: ApiError): boolean => status === 429;

const isLeft = ({ status }: Sending): boolean => status === 'waiting' || status === 'unknown';

/** Sends envelopes one after another, none of them twice. It pauses when asked to, when the page is left, or when the next would fail as well. */
export function useSending() {
  const send = useSendEnvelope();
  const queries = useQueryClient();
  const [all, setAll] = useState<readonly Sending[]>([]);
  const [running, setRunning] = useState(false);
  const [stopped, setStopped] = useState<unknown>(null);
  const now = useRef(all);
  const pausing = useRef(new AbortController());
  const pause = (): void => pausing.current.abort();
  useEffect(() => pause, []);

  const replace = (next: readonly Sending[]): void => {
    now.current = next;
    setAll(next);
  };
  const set = (at: number, changed: Partial<Sending>): void =>
    replace(now.current.map((one, index) => (index === at ? { ...one, ...changed } : one)));

  /** What is left: what waits, and what nobody knows about. */
  const run = async (): Promise<void> => {
    pausing.current = new AbortController();
    setRunning(true);
    setStopped(null);
    const lines = now.current.map((one, at) => ({ ...one, at })).filter(isLeft);
    try {
      await runLines(lines, {
        send: ({ at, body, copy }) => {
          set(at, { status: 'sending', error: undefined });
          return send(body, copy);
        },
        onAnswer: ({ at, status }, { id, before }) =>
          set(at, { status: before && status !== 'unknown' ? 'before' : 'sent', id }),
        onRefusal: ({ at }, error) => set(at, { status: 'failed', error }),
        onLeft: ({ at, status }, error) => set(at, mayBeSent(error) ? { status: 'unknown', error } : { status }),
        isOfOneLine: isOfOneEnvelope,
        pausing: pausing.current.signal,
      });
    } catch (failure) {
      setStopped(failure);
    } finally {
      setRunning(false);
      void queries.invalidateQueries({ queryKey: ENVELOPES });
    }
  };
  const begin = (bodies: readonly EnvelopeBody[]): Promise<void> => {
    replace(bodies.map((body) => ({ body, copy: 0, status: 'waiting' })));
    return run();
  };
  /** Sends on purpose what was sent before. */
  const repeat = (): Promise<void> => {
    replace(
      now.current.map((one) => (one.status === 'before' ? { ...one, copy: one.copy + 1, status: 'waiting' } : one)),
    );
    return run();
  };
  const clear = (): void => {
    replace([]);
    setStopped(null);
  };
  return { all, running, stopped, begin, run, pause, repeat, clear, left: all.filter(isLeft).length };
}
