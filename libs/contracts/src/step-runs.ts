/** How a run of an identity step may end: `identity.finish_step_run` takes one of these. */
export const STEP_OUTCOMES = ['pass', 'reject', 'review', 'retry', 'error'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

/** NOTIFY channel of the identity schema: payload is the id of a run that is done. */
export const STEP_RUN_DONE = 'step_run_done';

/** What a run's sealed result is bound to (AAD), beside tenant and subject. */
export function stepResultContext(runId: string): string {
  return `step_run:${runId}`;
}

/**
 * step_run.input of step_type `document`. Asset ids are UUIDs. No personal data: the document number to compare with is in the
 * subject's sealed record.
 */
export interface DocumentStepInput {
  v: 1;
  doc_front: string;
  doc_back: string | null;
  /** What the session was opened with: a document of another type or country is a mismatch. */
  document_type: string;
  document_country: string;
}

export type LivenessMode = 'basic' | 'active';

/**
 * What frames of passive liveness are for. off: they are not looked at. signal: what they show may send to review. require: mode basic
 * without frames of a live head goes to review.
 */
export const PASSIVE_POLICIES = ['off', 'signal', 'require'] as const;
export type PassivePolicy = (typeof PASSIVE_POLICIES)[number];

/** What liveness was judged by. selfie: one picture. frames: pictures of the two seconds around it. challenge: head turns that we asked for. */
export type LivenessEvidenceKind = 'selfie' | 'frames' | 'challenge';

/** What frames showed. decision: live, suspected (by `signs`) or undetermined. Values: see PASSIVE_THRESHOLDS of libs/face-matching. */
export interface PassiveLivenessResult {
  decision: 'live' | 'suspected' | 'undetermined';
  signs: string[];
  frames: number;
  least_difference: number | null;
  regularity: number;
  border_sides: number;
  tilted: number | null;
  bent: number | null;
  version: string;
}

/** step_run.input of step_type `face`. The thresholds are those of the flow version that the session is pinned to. */
export interface FaceStepInput {
  v: 1;
  /** The document's portrait side. */
  reference: string;
  selfie: string;
  liveness_mode: LivenessMode;
  /** Calibrated scores, 0 to 1: pass from accept on, review from review on, else reject. Null: the engine's own. */
  thresholds: { accept: number; review: number } | null;
  /** Mode active: what the server issued, and a picture per pose, in order, with the server's time of receipt. Times ISO 8601. */
  challenge: {
    id: string;
    poses: string[];
    issued_at: string;
    expires_at: string;
    frames: { asset: string; received_at: string }[];
  } | null;
  /**
   * Mode basic with frames (PASSIVE_FRAMES): the nonce that the server issued, taken for this attempt alone, and the frames in the order in
   * which they were taken, each received after the nonce was issued and before it ended. Left out or null: the selfie alone is looked at.
   */
  passive?: {
    id: string;
    issued_at: string;
    expires_at: string;
    frames: { asset: string; received_at: string }[];
  } | null;
  /** Of the flow version. Left out: signal. */
  passive_liveness?: PassivePolicy;
}

/** A value as it was read, see DocumentField of libs/document-reading. */
export interface ReadFieldResult {
  value: string;
  source: string;
  confidence: number;
  checks: string[];
  trusted: boolean;
}

/** What step_run.result_sealed holds for step_type `document`: JSON, sealed under the subject's data key. */
export interface DocumentStepResult {
  v: 1;
  kind: string | null;
  fields: Record<string, ReadFieldResult>;
  name_trusted: boolean;
  reasons: string[];
  quality: { side: string; width: number; height: number; sharpness: number; glare: number; reasons: string[] }[];
  took_ms: number;
}

/** What step_run.result_sealed holds for step_type `face`. Scores 0 to 1; never a biometric template. */
export interface FaceStepResult {
  v: 1;
  /** Calibrated similarity; null when it was not computed. */
  score: number | null;
  /** The engine's own measure (a distance, a percentage). */
  raw_metric: number | null;
  thresholds: { accept: number; review: number } | null;
  liveness: {
    mode: LivenessMode;
    passed: boolean | null;
    score: number | null;
    signals: string[];
    /** Left out in results of before. */
    evidence?: LivenessEvidenceKind[];
    /** Null: no frames were looked at. */
    passive?: PassiveLivenessResult | null;
    /** How much the selfie is the portrait's picture, -1 to 1; null when it was not compared. */
    portrait_copy?: number | null;
  };
  reasons: string[];
  took_ms: number;
}
