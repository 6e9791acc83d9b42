/**
 * From where on a signal says something. Chosen by docs/benchmarks.md, section liveness, with a margin from what genuine captures reach
 * there; the reasons are in ADR 0187. A change is a new PASSIVE_VERSION.
 */
export const PASSIVE_VERSION = 'frames-1';

export const PASSIVE_THRESHOLDS = {
  /** Frames that have to be readable and of one size, or nothing is said. */
  leastFrames: 3,
  /** Mean difference of two frames in steps of brightness: below, one picture was sent twice. */
  repeatedBelow: 0.2,
  /** Regularity of a pattern over the face, reached in two frames: a screen's grid, the dots of a print. */
  patternFrom: 13,
  /** Sides of the face with a straight border, reached in two frames. */
  borderSidesFrom: 4,
  /** A head that was tilted by so much (hundredths of its width) and of which a plane leaves at most this share unexplained is flat. */
  flat: { tiltedFrom: 0.45, bentShareBelow: 0.25, headPoints: 24 },
  /** A head of which a plane leaves so much unexplained, and this share of its tilt, has depth. */
  deep: { bentFrom: 0.12, bentShareFrom: 0.5, headPoints: 24 },
} as const;

/** Normalised correlation of the fine structure of two aligned faces: from `copy` on one is a copy, from `doubtful` on a person looks. */
export const COPY_THRESHOLDS = { copy: 0.9, doubtful: 0.86 } as const;
