import { type FrameFindings, judgeFrames, type PassiveDecision, second, type SpoofSign } from './judge-frames.ts';
import { PASSIVE_VERSION } from './thresholds.ts';

/** What the frames show. Numbers are in the units of FrameFindings; null where there was nothing to measure. */
export interface PassiveVerdict {
  decision: PassiveDecision;
  signs: SpoofSign[];
  frames: number;
  leastDifference: number | null;
  /** The second largest of the frames. */
  regularity: number;
  borderSides: number;
  /** Of the frame in which the head was tilted most. */
  tilted: number | null;
  bent: number | null;
  version: string;
}

/** The decision about what was found in frames, with the numbers that it rests on. */
export function verdictOf(found: FrameFindings): PassiveVerdict {
  const { frames, leastDifference, regularity, borderSides, motions } = found;
  const tilt = motions.toSorted((a, b) => b.tilted - a.tilted)[0];
  return {
    ...judgeFrames(found),
    frames,
    leastDifference: Number.isFinite(leastDifference) ? leastDifference : null,
    regularity: second(regularity),
    borderSides: second(borderSides),
    tilted: tilt?.tilted ?? null,
    bent: tilt?.bent ?? null,
    version: PASSIVE_VERSION,
  };
}
