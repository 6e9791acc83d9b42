import type { components } from '@constancia/sdk/generated/signing';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { isFinal } from '../../parts/is-final.ts';
import { ENVELOPES } from '../envelopes/use-envelope.ts';

type Body = components['schemas']['CreateEnvelopeBody'];

/** One envelope on its way. `unknown`: nobody knows whether it was sent; it is repeated as the same request. */
export interface Sending {
  body: Body;
  key: string;
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown';
  /** Of what was sent. */
  id?: string;
  error?: unknown;
}

/** Whether the next envelopes would be refused, too. */
const stops = (error: unknown): boolean => !(error instanceof ApiError) || [401, 402, 403, 429].includes(error.status);

const isLeft = ({ status }: Sending): boolean => status === 'waiting' || status === 'unknown';

/** Sends envelopes one after another, none of them twice: each has a key of its own, with which it is repeated. */
export function useSending() {
  const call = useCall();
  const [all, setAll] = useState<readonly Sending[]>([]);
  const [running, setRunning] = useState(false);
  const [stopped, setStopped] = useState<unknown>(null);
  const now = useRef(all);
  const set = (at: number, changed: Partial<Sending>): void => {
    now.current = now.current.map((one, index) => (index === at ? { ...one, ...changed } : one));
    setAll(now.current);
  };

  const sendOne = async (at: number): Promise<unknown> => {
    const { body, key } = now.current[at] as Sending;
    set(at, { status: 'sending' });
    try {
      const params = { header: { 'Idempotency-Key': key } };
      const { id } = await call(({ signing }) => signing.POST('/v1/envelopes', { params, body }));
      set(at, { status: 'sent', id });
      return null;
    } catch (error) {
      if (stops(error)) {
        const refused = error instanceof ApiError && isFinal(error);
        set(at, refused ? { status: 'waiting', key: crypto.randomUUID() } : { status: 'unknown' });
        return error;
      }
      set(at, { status: isFinal(error) ? 'failed' : 'unknown', error });
      return null;
    }
  };

  /** What is left: what waits, and what nobody knows about. */
  const run = async (): Promise<void> => {
    setRunning(true);
    setStopped(null);
    let reason: unknown = null;
    for (const [at, one] of now.current.entries()) if (reason === null && isLeft(one)) reason = await sendOne(at);
    setStopped(reason);
    setRunning(false);
    // The lists are loaded again once, not for each envelope.
    await call(({ signing }) => signing.GET('/v1/envelopes', { params: { query: { limit: 1 } } }), ENVELOPES).catch(
      () => undefined,
    );
  };
  const begin = (bodies: readonly Body[]): Promise<void> => {
    now.current = bodies.map((body) => ({ body, key: crypto.randomUUID(), status: 'waiting' }));
    setAll(now.current);
    return run();
  };
  const clear = (): void => {
    now.current = [];
    setAll([]);
    setStopped(null);
  };
  return { all, running, stopped, begin, run, clear, left: all.filter(isLeft).length };
}
