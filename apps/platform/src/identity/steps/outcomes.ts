import type { StepOutcome } from '@constancia/contracts';
import type { LastOutcome, SessionAction } from '../sessions/session-states.ts';
import type { RunType, Verdict } from '../sessions/step-run.entity.ts';
import { TOO_MANY_ATTEMPTS } from '../sessions/bearer-reasons.ts';

export interface Effect {
  verdict: Verdict;
  /** What becomes of the credits that the run holds. A decision is paid for; a failed try or a failed engine is not. */
  money: 'capture' | 'release' | 'none';
}

/** The one table of what an engine's outcome means, by the kind of work. */
export const EFFECTS: Record<RunType, Record<StepOutcome, Effect>> = {
  document: {
    pass: { verdict: 'accept', money: 'none' },
    review: { verdict: 'flag', money: 'none' },
    retry: { verdict: 'again', money: 'none' },
    reject: { verdict: 'reject', money: 'none' },
    error: { verdict: 'unavailable', money: 'none' },
  },
  face: {
    pass: { verdict: 'accept', money: 'capture' },
    review: { verdict: 'flag', money: 'capture' },
    retry: { verdict: 'again', money: 'release' },
    reject: { verdict: 'reject', money: 'capture' },
    error: { verdict: 'unavailable', money: 'release' },
  },
  sarlaft: {
    pass: { verdict: 'accept', money: 'none' },
    review: { verdict: 'refer', money: 'none' },
    retry: { verdict: 'unavailable', money: 'none' },
    reject: { verdict: 'reject', money: 'none' },
    error: { verdict: 'unavailable', money: 'none' },
  },
};

/** Where a session stands when a verdict falls. */
export interface Standing {
  /** Attempts used up at this step, the present one not counted. */
  used: number;
  maxAttempts: number;
  lastStep: boolean;
  /** Something already asks for a person's review. */
  flagged: boolean;
}

/** What a verdict does to a session. */
export interface Move {
  action: SessionAction;
  lastOutcome: LastOutcome;
  countsAttempt: boolean;
  flags: boolean;
  attemptsLeft: number | null;
  rejectionReason: string | null;
}

/** The move of a verdict. Pure: the same standing and verdict always give the same move. `reason`: the engine's, a stable word. */
export function moveOf(verdict: Verdict, standing: Standing, reason: string | null): Move {
  const still = { countsAttempt: false, flags: false, attemptsLeft: null, rejectionReason: null };
  switch (verdict) {
    case 'accept':
    case 'flag':
      return { ...still, ...acceptance(standing, verdict === 'flag'), flags: verdict === 'flag' };
    case 'refer':
      return { ...still, action: 'refer', lastOutcome: 'review' };
    case 'reject':
      return { ...still, action: 'reject', lastOutcome: 'reject', rejectionReason: reason ?? 'rejected' };
    case 'unavailable':
      return { ...still, action: 'stay', lastOutcome: 'retry' };
    case 'again': {
      const left = Math.max(0, standing.maxAttempts - standing.used - 1);
      const counted = { ...still, countsAttempt: true, attemptsLeft: left };
      if (left > 0) return { ...counted, action: 'stay', lastOutcome: 'retry' };
      return { ...counted, action: 'reject', lastOutcome: 'reject', rejectionReason: TOO_MANY_ATTEMPTS };
    }
  }
}

function acceptance(standing: Standing, flag: boolean): Pick<Move, 'action' | 'lastOutcome'> {
  if (!standing.lastStep) return { action: 'advance', lastOutcome: 'advance' };
  if (standing.flagged || flag) return { action: 'refer', lastOutcome: 'review' };
  return { action: 'finish', lastOutcome: 'advance' };
}
