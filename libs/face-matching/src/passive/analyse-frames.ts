import type { Box } from '../find-faces.ts';
import { borderSides } from './borders.ts';
import type { GreyImage } from './grey-image.ts';
import type { FrameFindings } from './judge-frames.ts';
import { headMotions } from './planarity.ts';
import { faceRegularity } from './regularity.ts';
import { leastDifference } from './still.ts';

/** More frames than this are not looked at. */
export const MOST_PASSIVE_FRAMES = 5;

/** Measures the frames of a capture, in the order in which they were taken. `face`: where it is in the first one. */
export function analyseFrames(frames: readonly GreyImage[], face: Box): Omit<FrameFindings, 'samePerson'> {
  const [first] = frames;
  const last = frames.at(-1);
  return {
    frames: frames.length,
    leastDifference: leastDifference(frames),
    regularity: frames.map((frame) => faceRegularity(frame, face)),
    borderSides: first && last ? [borderSides(first, face), borderSides(last, face)] : [],
    motions: headMotions(frames, face),
  };
}
