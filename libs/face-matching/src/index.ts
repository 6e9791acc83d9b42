export { FACE_REASONS } from './outcomes.ts';
export type { FaceOutcome, FaceReason, PictureReason } from './outcomes.ts';
export type {
  ComparisonOptions,
  FaceBox,
  FaceComparison,
  FaceDetection,
  FaceEngine,
  FaceOptions,
  FaceQuality,
  FaceThresholds,
  FoundFace,
  PictureRole,
} from './face-engine.ts';
export { LIVENESS_CHECKS, POSES } from './liveness/liveness-engine.ts';
export type {
  LivenessChallenge,
  LivenessCheck,
  LivenessEngine,
  LivenessEvidence,
  LivenessFrame,
  LivenessMode,
  LivenessSignal,
  LivenessVerdict,
  Pose,
} from './liveness/liveness-engine.ts';
