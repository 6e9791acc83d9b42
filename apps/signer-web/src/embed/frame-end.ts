import type { FrameEnd } from '@constancia/web';
import type { SignState } from '../api/sign-state.ts';
import type { Situation } from '../journey/journey.tsx';

const FAILED: readonly SignState['envelope']['status'][] = ['declined', 'failed', 'voided', 'expired'];

/** How it ended for this signer, for the event that the tenant's page gets; null: it has not ended. */
export function frameEnd(situation: Situation): FrameEnd | null {
  if (situation.kind === 'unknown') return 'expired';
  if (situation.kind === 'not-me') return 'failed';
  if (situation.kind !== 'known') return null;
  const { signer, envelope } = situation.state;
  if (signer.status === 'signed') return 'completed';
  return signer.status === 'declined' || FAILED.includes(envelope.status) ? 'failed' : null;
}
