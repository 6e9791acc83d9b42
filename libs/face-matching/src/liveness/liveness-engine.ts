import type { FaceOptions } from '../face-engine.ts';
import type { FaceOutcome, FaceReason } from '../outcomes.ts';
import type { PassiveVerdict } from '../passive/verdict.ts';

/** Where the subject is asked to look, from their own side. */
export const POSES = ['center', 'left', 'right'] as const;
export type Pose = (typeof POSES)[number];

/**
 * basic: one selfie, and frames where there are any; signals that may send to review and never pass anybody. active: a sequence of head turns that
 * the server issued, every check of it required.
 */
export type LivenessMode = 'basic' | 'active';

/** What an engine hands out before the pictures are taken. The caller stores it and lets it be used once. */
export interface LivenessChallenge {
  mode: LivenessMode;
  /** Active, local: the turns to take, in order. Empty otherwise. */
  poses: Pose[];
  /** Milliseconds since the epoch, the server's clock. */
  issuedAt: number;
  expiresAt: number;
}

/** One picture of an active challenge. */
export interface LivenessFrame {
  picture: Uint8Array;
  /** Milliseconds since the epoch, the server's clock: when the picture was all here. A time that the client states is worth nothing. */
  receivedAt: number;
}

export interface LivenessEvidence {
  challenge: LivenessChallenge;
  /** The picture that is compared with the document: the person in the frames has to be the one in it. */
  selfie: Uint8Array;
  /** One per pose, in the order of the poses. Empty in mode basic and for engines with sessions of their own. */
  frames: LivenessFrame[];
  /** The document's portrait side: a selfie that is a copy of it is rejected. Null: not asked. */
  portrait: Uint8Array | null;
  passive: PassiveEvidence;
}

/**
 * off: frames are not looked at. signal: what they show may send to review. require: mode basic without frames of a live head goes to review.
 */
export type PassivePolicy = 'off' | 'signal' | 'require';

/** Pictures of the two seconds around the selfie, in the order in which they were taken. */
export interface PassiveEvidence {
  policy: PassivePolicy;
  frames: Uint8Array[];
}

export const NO_FRAMES: PassiveEvidence = { policy: 'off', frames: [] };

export const LIVENESS_CHECKS = [
  'in_time',
  'not_too_fast',
  'in_order',
  'a_picture_per_pose',
  'different_pictures',
  'one_face_each',
  'poses_taken',
  'same_person',
] as const;
export type LivenessCheck = (typeof LIVENESS_CHECKS)[number];

export interface LivenessSignal {
  name: string;
  /** Degrees for yaw, a distance for persons, 0 to 1 otherwise; the name says which. */
  value: number;
}

export interface LivenessVerdict {
  /** Mode basic: pass (nothing suspicious was seen, which proves nothing), review, retry or error; reject only for a copy of the portrait. */
  outcome: FaceOutcome;
  reasons: FaceReason[];
  mode: LivenessMode;
  /** Active: whether every check held. Basic: null, as it cannot tell. */
  passed: boolean | null;
  /** 0 to 1, of engines that give one. Null for the local one: its checks hold or do not. */
  score: number | null;
  /** Active, local: each check and whether it held; absent when it could not be made. */
  checks: Partial<Record<LivenessCheck, boolean>>;
  signals: LivenessSignal[];
  /** What the frames of passive liveness show; null: there were none, or they were not to be looked at. */
  passive: PassiveVerdict | null;
  /** How much the selfie's face is the portrait's picture, -1 to 1 (see portraitCorrelation); null when it was not compared. */
  portraitCopy: number | null;
  engine: string;
  modelVersion: string;
  tookMs: number;
}

/**
 * The port that liveness is judged through. The local implementation has no evidence of ISO/IEC 30107-3 (presentation attack
 * detection) and none may be claimed for it: it makes the use of a stored photo costly, not impossible.
 */
export interface LivenessEngine {
  readonly engine: string;
  readonly modelVersion: string;
  begin(mode: LivenessMode, now?: number): Promise<LivenessChallenge>;
  /** Never throws for what the pictures hold. That a challenge is used once is the caller's to keep: it takes the stored one away first. */
  assess(evidence: LivenessEvidence, options: FaceOptions): Promise<LivenessVerdict>;
}
