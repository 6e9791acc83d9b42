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
export { LOCAL_THRESHOLDS, distanceOf, scoreOf } from './calibration.ts';
export { judgeComparison } from './judge-comparison.ts';
export type { ComparisonEvidence, Judgement } from './judge-comparison.ts';
export { judgeChallenge } from './liveness/judge-challenge.ts';
export type { ChallengeJudgement, FrameFacts } from './liveness/judge-challenge.ts';
export { newChallenge, randomPoses } from './liveness/new-challenge.ts';
export { loadFaceEngine } from './load-engine.ts';
export type { FaceEngineFiles, LocalFaceEngines } from './load-engine.ts';
export { MODEL_FILES, WASM_FILES } from './engine-files.ts';
