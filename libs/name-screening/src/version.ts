/**
 * Goes up with every change that may alter a score: normalisation, weights, similarity, evidence. Stored with each screening;
 * an index built by another version is refused.
 */
export const MATCHER_VERSION = '1.2.0';

/** Scores from here on are hits: chosen by measurement (docs/decisions/0071). */
export const DEFAULT_THRESHOLD = 0.8;

/** Scores from here up to the threshold are near misses. */
export const DEFAULT_NEAR = 0.75;
