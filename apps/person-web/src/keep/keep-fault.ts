import { Refused } from '../api/capture-api.ts';

/** Why a request did not work. wrong: the code; tooMany: wait. */
export function keepFault(error: unknown): 'wrong' | 'tooMany' | 'refused' | 'lost' {
  if (!(error instanceof Refused)) return 'lost';
  if (error.status === 422) return 'wrong';
  return error.status === 429 ? 'tooMany' : 'refused';
}
