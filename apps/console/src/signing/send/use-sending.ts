import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
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

/** After a longer one the row has failed: the next ones may be accepted. */
const LONGEST_WAIT_S = 60;

/** Whether the next envelopes would be refused, too. */
const stops = (error: unknown): boolean => !(error instanceof ApiError) || [401, 402, 403].includes(error.status);

/** Seconds until the same request may be accepted; null: waiting is of no use now. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.status !== 429) return null;
  const seconds = error.waitSeconds ?? 1;
  return seconds <= LONGEST_WAIT_S ? seconds : null;
}

const isLeft = ({ status }: Sending): boolean => status === 'waiting' || status === 'unknown';

/** Sends envelopes one after another, none of them twice. It pauses when asked to, when the page is left, or when the next would fail as well. */
export function useSending() {
  const send = useSendEnvelope();
  const queries = useQueryClient();
  const [all, setAll] = useState<readonly Sending[]>([]);
  const [running, setRunning] = useState(false);
  const [stopped, setStopped] = useState<unknown>(null);
  const now = useRef(all);
  const paused = useRef(false);
  const wake = useRef(() => {});
  const pause = (): void => {
    paused.current = true;
    wake.current();
  };
  useEffect(() => pause, []);

  const replace = (next: readonly Sending[]): void => {
    now.current = next;
    setAll(next);
  };
  const set = (at: number, changed: Partial<Sending>): void =>
    replace(now.current.map((one, index) => (index === at ? { ...one, ...changed } : one)));
  const sleep = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      wake.current = resolve;
      setTimeout(resolve, seconds * 1000);
    });

  /** What stops the others; null when nothing does. */
  const sendOne = async (at: number): Promise<unknown> => {
    const { body, copy, status } = now.current[at] as Sending;
    set(at, { status: 'sending', error: undefined });
    for (;;) {
      try {
        const { id, before } = await send(body, copy);
        set(at, { status: before && status !== 'unknown' ? 'before' : 'sent', id });
        return null;
      } catch (error) {
        const seconds = waitOf(error);
        if (seconds !== null) {
          if (!paused.current) await sleep(seconds);
          if (!paused.current) continue;
          set(at, { status });
          return null;
        }
        if (mayBeSent(error)) set(at, { status: 'unknown', error });
        else set(at, stops(error) ? { status } : { status: 'failed', error });
        return stops(error) ? error : null;
      }
    }
  };

  /** What is left: what waits, and what nobody knows about. */
  const run = async (): Promise<void> => {
    paused.current = false;
    setRunning(true);
    setStopped(null);
    let reason: unknown = null;
    for (const [at, one] of now.current.entries()) {
      if (reason !== null || paused.current) break;
      if (isLeft(one)) reason = await sendOne(at);
    }
    setStopped(reason);
    setRunning(false);
    void queries.invalidateQueries({ queryKey: ENVELOPES });
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
