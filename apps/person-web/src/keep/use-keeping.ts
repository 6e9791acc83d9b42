import type { KeepState } from '@constancia/contracts/wallet';
import { useState } from 'react';
import { Refused } from '../api/capture-api.ts';

/** Why a request did not work. wrong: the code; tooMany: wait. */
export type KeepFault = 'wrong' | 'tooMany' | 'refused' | 'lost';

export interface Keeping {
  busy: boolean;
  fault: KeepFault | null;
  send: (request: () => Promise<KeepState>) => Promise<void>;
}

/** Requests of one form, one at a time. */
export function useKeeping(onAnswer: (state: KeepState) => void): Keeping {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<KeepFault | null>(null);
  const send = async (request: () => Promise<KeepState>): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      onAnswer(await request());
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, send };
}

function faultOf(error: unknown): KeepFault {
  if (!(error instanceof Refused)) return 'lost';
  if (error.status === 422) return 'wrong';
  return error.status === 429 ? 'tooMany' : 'refused';
}
