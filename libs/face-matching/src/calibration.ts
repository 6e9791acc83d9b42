import type { FaceThresholds } from './face-engine.ts';

/**
 * A logistic curve through what was counted on 4,950 labelled pairs of unconstrained press photos (450 of one person, 4,500 of
 * two), the same nets and alignment: distances of 0.50 to 0.55 had 27 and 2 of them, 0.55 to 0.60 had 10 and 24. At even odds
 * before the comparison that is 4.9 and 1.4 as a logarithm of the odds.
 */
const EVEN_AT = 0.596;
const PER_UNIT = 69;

/** Calibrated similarity of two descriptors, 1 to 0, from their distance: 0.5 where both answers are as likely. Never rises with the distance. */
export function scoreOf(distance: number): number {
  return 1 / (1 + Math.exp((distance - EVEN_AT) * PER_UNIT));
}

/** The distance that has this score. */
export function distanceOf(score: number): number {
  return EVEN_AT + Math.log((1 - score) / score) / PER_UNIT;
}

/**
 * Distances of 0.473 and 0.652. Nobody else's photo may be accepted: the nearest two persons known are 0.501 apart (of 1,743 pairs of the
 * labelled photos; none of 4,500 pairs of press photos was below 0.50), and `accept` keeps 0.028 below that. What lies between the two goes to
 * a person's review. ADR 0125.
 */
export const LOCAL_THRESHOLDS: FaceThresholds = { accept: 0.9998, review: 0.02 };

/** A flow may be stricter than the engine, never laxer: below the engine's own `accept` another person's photo has been seen to pass. */
export function thresholdsFor(flow: FaceThresholds | null | undefined): FaceThresholds {
  if (!flow) return LOCAL_THRESHOLDS;
  return { accept: Math.max(flow.accept, LOCAL_THRESHOLDS.accept), review: flow.review };
}

/** Euclidean. */
export function distanceBetween(one: Float32Array, other: Float32Array): number {
  return Math.sqrt(one.reduce((sum, value, at) => sum + (value - (other[at] as number)) ** 2, 0));
}
