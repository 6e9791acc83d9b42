import type { FaceThresholds } from './face-engine.ts';
import type { FaceOutcome, FaceReason, PictureReason } from './outcomes.ts';

/** What is known of two pictures. `score`: null when one of them has no face to compare. */
export interface ComparisonEvidence {
  portraitFound: boolean;
  /** What the selfie is refused for. */
  selfieReasons: PictureReason[];
  score: number | null;
}

export interface Judgement {
  outcome: FaceOutcome;
  reasons: FaceReason[];
}

/**
 * The one table of what a comparison means, the first row that applies. A selfie can be taken again; a document's portrait was
 * taken in an earlier step, so that a missing one is for a person to look at. Pure.
 */
export function judgeComparison(evidence: ComparisonEvidence, { accept, review }: FaceThresholds): Judgement {
  const { portraitFound, selfieReasons, score } = evidence;
  if (selfieReasons.length > 0) return { outcome: 'retry', reasons: selfieReasons };
  if (!portraitFound || score === null) return { outcome: 'review', reasons: ['no_portrait'] };
  if (score >= accept) return { outcome: 'pass', reasons: [] };
  if (score >= review) return { outcome: 'review', reasons: ['doubtful_likeness'] };
  return { outcome: 'reject', reasons: ['other_person'] };
}
