import type { NameMode } from '../normalise/tokenise.ts';

/** What is held against words that only one of the names has, per mode. */
export interface Penalty {
  /** Of the heavier side: what is merely missing on the other (a second surname, a patronymic). */
  missing: number;
  /** Matched weight below which missing words count more, in proportion: two common names out of three say little. */
  telling: number;
  /** Of the lighter side: words that stand against words. */
  conflict: number;
}

const PENALTY: Record<NameMode, Penalty> = {
  person: { missing: 0.18, telling: 2, conflict: 0.85 },
  organisation: { missing: 0.25, telling: 1, conflict: 0.6 },
};

/**
 * What is taken from the score, of the weight that is alike and the weights that are left on each side. Grows with what is left and
 * falls with what is alike.
 */
export function penaltyOf(mode: NameMode, alike: number, unmatched: number, unmatchedOther: number): number {
  const { missing, telling, conflict } = PENALTY[mode];
  const share = missing * Math.max(1, telling / alike);
  return share * Math.max(unmatched, unmatchedOther) + conflict * Math.min(unmatched, unmatchedOther);
}

/**
 * The best that two names can reach when `alike` is at least the matched weight times its similarity, and the unmatched weights
 * are at most what is left. A bound: alike / (alike + penalty) grows with `alike` and falls with the penalty.
 */
export function upperBound(mode: NameMode, alike: number, unmatched: number, unmatchedOther: number): number {
  if (alike <= 0) return 0;
  return alike / (alike + penaltyOf(mode, alike, Math.max(0, unmatched), Math.max(0, unmatchedOther)));
}
