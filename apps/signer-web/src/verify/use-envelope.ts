import { useCallback, useEffect, useState } from 'react';
import { envelopeAt, type PublicEnvelope } from './answers.ts';

export type LookUp =
  { state: 'none' | 'loading' | 'unknown' | 'no_answer' } | { state: 'found'; envelope: PublicEnvelope };

/** How long the page waits before it asks again about an envelope that is being sealed. */
const SEALING_AGAIN_MS = 3_000;

/** The envelope with this public id, as the service knows it, and a way to ask again. */
export function useEnvelope(publicId: string | null): [LookUp, () => void] {
  const [lookUp, setLookUp] = useState<LookUp>({ state: publicId === null ? 'none' : 'loading' });
  const ask = useCallback(async () => {
    if (publicId === null) return;
    try {
      const envelope = await envelopeAt(publicId);
      setLookUp(envelope === null ? { state: 'unknown' } : { state: 'found', envelope });
    } catch {
      setLookUp({ state: 'no_answer' });
    }
  }, [publicId]);
  useEffect(() => void ask(), [ask]);
  const sealing = lookUp.state === 'found' && lookUp.envelope.status === 'sealing';
  useEffect(() => {
    if (!sealing) return;
    const timer = setInterval(() => void ask(), SEALING_AGAIN_MS);
    return () => clearInterval(timer);
  }, [sealing, ask]);
  const again = () => {
    setLookUp({ state: 'loading' });
    void ask();
  };
  return [lookUp, again];
}
