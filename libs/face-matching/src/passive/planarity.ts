import type { Box } from '../find-faces.ts';
import { cornersIn } from './corners.ts';
import { homographyResiduals, type Match, type Residuals, similarityResiduals } from './fit-plane.ts';
import type { GreyImage } from './grey-image.ts';
import { greyPyramid, PointTracker } from './track-points.ts';

/** How the head moved between one frame and another. All in hundredths of the face's width. */
export interface HeadMotion {
  /** Points that were found again on the head, and outside of it. */
  headPoints: number;
  sidePoints: number;
  /** How far the points of the head moved, in the middle. */
  moved: number;
  /** What no turn, scale and shift explains, of the head: it was tilted or turned, or changed its shape. */
  tilted: number;
  /** What not even the motion of a plane explains, of the head. */
  bent: number;
  /** The same of head and surroundings together; null with few points beside the head. */
  sceneBent: number | null;
}

const HEAD_COLUMNS = 9;
const SCENE_COLUMNS = 7;
const LEAST_HEAD_POINTS = 16;
const LEAST_SIDE_POINTS = 10;
const NEIGHBOURS = 4;

/** The head of the first frame in each of the others. Frames in which too little of it is found again are left out. */
export function headMotions(frames: readonly GreyImage[], face: Box): HeadMotion[] {
  const [first, ...others] = frames;
  if (!first) return [];
  const head = headOf(face);
  const corners = cornersIn(first, head, HEAD_COLUMNS);
  const whole = { left: 0, top: 0, right: first.width, bottom: first.height };
  const beside = cornersIn(first, whole, SCENE_COLUMNS, head);
  const points = [...corners, ...beside];
  const tracker = new PointTracker(greyPyramid(first), points);
  return others.flatMap((frame) => {
    if (frame.width !== first.width || frame.height !== first.height) return [];
    const found = tracker.find(greyPyramid(frame));
    const matches = points.map((from, nth) => ({ from, to: found[nth] ?? null }));
    const kept = (some: typeof matches) => some.filter((each): each is Match => each.to !== null);
    const motion = motionOf(kept(matches.slice(0, corners.length)), kept(matches.slice(corners.length)), face.right - face.left); // prettier-ignore
    return motion ? [motion] : [];
  });
}

function motionOf(head: Match[], beside: Match[], faceWidth: number): HeadMotion | null {
  if (head.length < LEAST_HEAD_POINTS) return null;
  const percent = (px: number) => Math.round((px / faceWidth) * 10_000) / 100;
  const both = [...head, ...beside];
  const lengths = head.map(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y)).toSorted((a, b) => a - b);
  return {
    headPoints: head.length,
    sidePoints: beside.length,
    moved: percent(lengths[lengths.length >> 1] as number),
    tilted: percent(coherent(head, similarityResiduals(head))),
    bent: percent(coherent(head, homographyResiduals(head))),
    sceneBent: beside.length < LEAST_SIDE_POINTS ? null : percent(coherent(both, homographyResiduals(both))),
  };
}

/** Forehead and hair move with the face; the neck and its collar do not. */
function headOf({ left, top, right, bottom }: Box): Box {
  const [w, h] = [right - left, bottom - top];
  return { left: left - 0.08 * w, top: top - 0.15 * h, right: right + 0.08 * w, bottom: bottom + 0.02 * h };
}

/**
 * The part of the residuals that neighbours have in common, as a root mean square in pixels: depth shifts whole regions, while the noise of
 * tracking differs from point to point and cancels out.
 */
function coherent(matches: readonly Match[], residuals: Residuals): number {
  let sum = 0;
  matches.forEach(({ from }, nth) => {
    const own = residuals[nth] as Residuals[number];
    const near = matches
      .map((other, at) => ({ at, distance: Math.hypot(other.from.x - from.x, other.from.y - from.y) }))
      .filter(({ at }) => at !== nth)
      .toSorted((a, b) => a.distance - b.distance)
      .slice(0, NEIGHBOURS);
    for (const { at } of near) {
      const other = residuals[at] as Residuals[number];
      sum += clipped(own.x * other.x + own.y * other.y) / near.length;
    }
  });
  return Math.sqrt(Math.max(0, sum / matches.length));
}

/** One point that was tracked wrongly has no more weight than a clear bend. */
const MOST_PX2 = 36;
const clipped = (product: number) => Math.max(-MOST_PX2, Math.min(MOST_PX2, product));
