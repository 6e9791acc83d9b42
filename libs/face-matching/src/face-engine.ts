import type { FaceOutcome, FaceReason, PictureReason } from './outcomes.ts';

/**
 * What a picture is expected to hold. selfie: exactly one dominant face, of good quality. document: the portrait of a card or
 * passport, the largest face (ghost images are smaller copies); its quality is measured and refuses nothing.
 */
export type PictureRole = 'selfie' | 'document';

/** Pixels of the picture as uploaded, upright. */
export interface FaceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FaceQuality {
  /** Distance between the eyes, pixels of the picture as uploaded. */
  eyeDistancePx: number;
  /** Variance of the Laplacian of the face at 50 px, contrast normalised. */
  sharpness: number;
  /** Mean brightness of the face, 0 to 255. */
  brightness: number;
  /** Degrees; positive: the subject looks to their own left. See pose.ts for how it is measured. */
  yawDegrees: number;
  /** Degrees by which the line through the eyes leans. */
  rollDegrees: number;
}

export interface FoundFace {
  box: FaceBox;
  /** The detector's own, 0 to 1. */
  confidence: number;
  quality: FaceQuality;
}

export interface FaceDetection {
  outcome: 'pass' | 'retry' | 'error';
  /** The weightiest first; empty for pass. */
  reasons: (PictureReason | 'deadline' | 'engine_failure')[];
  /** The dominant face (selfie) or the portrait (document); null when there is none to be named. */
  face: FoundFace | null;
  /** How many faces the picture holds that count (small ones in the background do not). */
  faces: number;
  engine: string;
  modelVersion: string;
  tookMs: number;
}

/** Calibrated scores: pass from `accept` on, review from `review` on, reject below. */
export interface FaceThresholds {
  accept: number;
  review: number;
}

export interface FaceComparison {
  outcome: FaceOutcome;
  /** Why, the weightiest first; empty for pass. All belong to the outcome (FACE_REASONS). */
  reasons: FaceReason[];
  /** Calibrated similarity, 0 to 1, comparable between engines; null when there was nothing to compare. */
  score: number | null;
  /** The engine's own measure: a distance (local), a percentage (Rekognition). */
  rawMetric: number | null;
  /** Those that the outcome was judged by. */
  thresholds: FaceThresholds;
  reference: FoundFace | null;
  probe: FoundFace | null;
  engine: string;
  modelVersion: string;
  tookMs: number;
}

export interface FaceOptions {
  /** Milliseconds for the whole call. A stage that would not end in time is not begun. */
  deadlineMs: number;
}

export interface ComparisonOptions extends FaceOptions {
  /** Those of the flow that the session is pinned to; null or left out: the engine's own. An engine may raise an `accept` that is laxer than its own. */
  thresholds?: FaceThresholds | null;
}

/**
 * The port that faces are compared through. Images are encoded JPEG, PNG or WebP. An implementation never throws for what an
 * image holds: hostile ones have an outcome too. It keeps nothing between calls and gives no biometric template away.
 */
export interface FaceEngine {
  readonly engine: string;
  readonly modelVersion: string;
  readonly thresholds: FaceThresholds;
  detect(picture: Uint8Array, role: PictureRole, options: FaceOptions): Promise<FaceDetection>;
  /** `reference`: the document's portrait side. `probe`: the selfie. */
  compare(reference: Uint8Array, probe: Uint8Array, options: ComparisonOptions): Promise<FaceComparison>;
}
