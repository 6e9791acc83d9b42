import type { HeadMotion } from './planarity.ts';
import { PASSIVE_THRESHOLDS } from './thresholds.ts';

/** live: a head with depth, nothing suspicious. suspected: see `signs`. undetermined: too little was seen to tell. */
export const PASSIVE_DECISIONS = ['live', 'suspected', 'undetermined'] as const;
export type PassiveDecision = (typeof PASSIVE_DECISIONS)[number];

/** What speaks against a person in front of the camera, the most certain first. */
export const SPOOF_SIGNS = ['repeated_frame', 'screen_pattern', 'flat_face', 'device_border', 'other_person'] as const;
export type SpoofSign = (typeof SPOOF_SIGNS)[number];

/** What was measured in the frames. */
export interface FrameFindings {
  /** Frames that could be read. */
  frames: number;
  leastDifference: number;
  /** Of each frame. */
  regularity: number[];
  /** Of some of the frames. */
  borderSides: number[];
  motions: HeadMotion[];
  /** Whether the frames show the person of the selfie; null when no face was found in them. */
  samePerson: boolean | null;
}

/** The decision about frames, by PASSIVE_THRESHOLDS. Pure. */
export function judgeFrames(found: FrameFindings): { decision: PassiveDecision; signs: SpoofSign[] } {
  const { leastFrames, repeatedBelow, patternFrom, borderSidesFrom } = PASSIVE_THRESHOLDS;
  if (found.frames < leastFrames || found.samePerson === null) return { decision: 'undetermined', signs: [] };
  const signs: SpoofSign[] = [
    ...(found.leastDifference < repeatedBelow ? (['repeated_frame'] as const) : []),
    ...(second(found.regularity) >= patternFrom ? (['screen_pattern'] as const) : []),
    ...(isFlat(found.motions) ? (['flat_face'] as const) : []),
    ...(second(found.borderSides) >= borderSidesFrom ? (['device_border'] as const) : []),
    ...(found.samePerson ? [] : (['other_person'] as const)),
  ];
  if (signs.length > 0) return { decision: 'suspected', signs };
  return { decision: hasDepth(found.motions) ? 'live' : 'undetermined', signs: [] };
}

/** Reached twice: what one frame shows may be chance. */
export const second = (values: number[]) => values.toSorted((a, b) => b - a)[1] ?? 0;

function isFlat(motions: HeadMotion[]): boolean {
  const { tiltedFrom, bentShareBelow, headPoints } = PASSIVE_THRESHOLDS.flat;
  const tilted = motions.filter((motion) => motion.headPoints >= headPoints && motion.tilted >= tiltedFrom);
  return tilted.length > 0 && tilted.every(({ tilted: by, bent }) => bent <= by * bentShareBelow);
}

function hasDepth(motions: HeadMotion[]): boolean {
  const { bentFrom, bentShareFrom, headPoints } = PASSIVE_THRESHOLDS.deep;
  return motions.some(
    ({ bent, tilted, headPoints: points }) =>
      points >= headPoints && bent >= bentFrom && bent >= tilted * bentShareFrom,
  );
}
