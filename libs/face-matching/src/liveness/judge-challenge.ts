import type { FaceOutcome, FaceReason, PictureReason } from '../outcomes.ts';
import type { LivenessChallenge, LivenessCheck, Pose } from './liveness-engine.ts';

/** What was seen in one frame of a challenge. */
export interface FrameFacts {
  /** Milliseconds since the epoch, the server's clock. */
  receivedAt: number;
  /** What the frame is refused for as a picture. */
  reasons: PictureReason[];
  /** Positive: to the subject's own left. Null without a face. */
  yawDegrees: number | null;
  /** Descriptor distance to the selfie; null without a face. */
  distance: number | null;
  /** Is another frame of the challenge, encoded again or mirrored perhaps. */
  repeats: boolean;
}

export interface ChallengeJudgement {
  outcome: FaceOutcome;
  reasons: FaceReason[];
  passed: boolean;
  checks: Partial<Record<LivenessCheck, boolean>>;
}

/** A head that looks ahead, and how far from there one has to have turned. */
const CENTRED_DEGREES = 14;
const TURNED_DEGREES = 14;
/** Nobody reads a pose and takes it in less. */
const LEAST_MS_PER_POSE = 250;
/** Of turned faces; wider than what the comparison with the document asks, as a turn moves a descriptor by itself. */
export const SAME_PERSON = { surely: 0.6, perhaps: 0.7 };
const LEAST_POSES = 3;

/** A turning head blurs: the pose and the person are judged by what can be measured of it. */
function faultsOf({ reasons }: FrameFacts, pose: Pose | undefined): FrameFacts['reasons'] {
  return pose === 'center' ? reasons : reasons.filter((reason) => reason !== 'blurred');
}

/**
 * Whether a challenge was met: every check has to hold. What could come of clumsiness is a retry (and uses an attempt up), a turn
 * to the other side or another person is a reject: that is what a recording made for another challenge looks like. Pure.
 */
export function judgeChallenge(
  { poses, issuedAt, expiresAt }: LivenessChallenge,
  frames: FrameFacts[],
): ChallengeJudgement {
  const times = frames.map(({ receivedAt }) => receivedAt);
  const faults = frames.flatMap((frame, nth) => faultsOf(frame, poses[nth]));
  const complete = frames.length === poses.length && poses.length >= LEAST_POSES;
  const turns = complete ? turnsOf(poses, frames) : [];
  const distances = frames.map(({ distance }) => distance ?? Infinity);
  const checks: Record<LivenessCheck, boolean> = {
    a_picture_per_pose: complete,
    in_time: times.every((at) => at >= issuedAt && at <= expiresAt),
    in_order: times.every((at, nth) => nth === 0 || at >= (times[nth - 1] as number)),
    not_too_fast: Math.max(...times) - issuedAt >= LEAST_MS_PER_POSE * poses.length,
    different_pictures: frames.every(({ repeats }) => !repeats),
    one_face_each: faults.length === 0,
    poses_taken: complete && turns.every((turn) => turn === 'taken'),
    same_person: complete && distances.every((distance) => distance <= SAME_PERSON.surely),
  };
  const retries: FaceReason[] = [
    ...new Set<FaceReason>([
      ...(checks.a_picture_per_pose && checks.in_order ? [] : ['pose_not_taken' as const]),
      ...(checks.in_time ? [] : ['challenge_expired' as const]),
      ...(checks.not_too_fast ? [] : ['challenge_too_fast' as const]),
      ...(checks.different_pictures ? [] : ['same_picture_twice' as const]),
      ...faults,
    ]),
  ];
  const rejects: FaceReason[] = [
    ...(turns.includes('opposite') ? ['wrong_direction' as const] : []),
    ...(distances.some((distance) => distance > SAME_PERSON.perhaps) ? ['person_changed' as const] : []),
  ];
  const passed = Object.values(checks).every(Boolean);
  if (retries.length > 0) return { outcome: 'retry', reasons: retries, passed, checks };
  if (rejects.length > 0) return { outcome: 'reject', reasons: rejects, passed, checks };
  if (!checks.poses_taken) return { outcome: 'retry', reasons: ['pose_not_taken'], passed, checks };
  if (!checks.same_person) return { outcome: 'review', reasons: ['doubtful_likeness'], passed, checks };
  return { outcome: 'pass', reasons: [], passed, checks };
}

type Turn = 'taken' | 'not_taken' | 'opposite';

/** Cameras are seldom straight before a face: turns are measured from where the subject looked when asked to look ahead. */
function turnsOf(poses: Pose[], frames: FrameFacts[]): Turn[] {
  const yaws = frames.map(({ yawDegrees }) => yawDegrees);
  const ahead = yaws.filter((_, nth) => poses[nth] === 'center').filter((yaw) => yaw !== null);
  const neutral = ahead.length === 0 ? 0 : ahead.reduce((sum, yaw) => sum + yaw, 0) / ahead.length;
  return poses.map((pose, nth) => {
    const yaw = yaws[nth] ?? null;
    if (yaw === null) return 'not_taken';
    if (pose === 'center') return Math.abs(yaw) <= CENTRED_DEGREES ? 'taken' : 'not_taken';
    const towards = (yaw - neutral) * (pose === 'left' ? 1 : -1);
    if (towards >= TURNED_DEGREES) return 'taken';
    return towards <= -TURNED_DEGREES ? 'opposite' : 'not_taken';
  });
}
