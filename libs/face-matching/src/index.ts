export { FACE_REASONS } from './outcomes.ts';
export type { PictureReason } from './outcomes.ts';
export type {
  ComparisonOptions,
  FaceBox,
  FaceComparison,
  FaceDetection,
  FaceEngine,
  FaceOptions,
  FaceThresholds,
  FoundFace,
  PictureRole,
} from './face-engine.ts';
export { POSES } from './liveness/liveness-engine.ts';
export type {
  LivenessChallenge,
  LivenessEngine,
  LivenessEvidence,
  LivenessMode,
  LivenessVerdict,
  PassivePolicy,
  Pose,
} from './liveness/liveness-engine.ts';
export type { PassiveVerdict } from './passive/verdict.ts';
export { judgeComparison } from './judge-comparison.ts';
export { randomPoses } from './liveness/new-challenge.ts';
export { loadFaceEngine } from './load-engine.ts';
