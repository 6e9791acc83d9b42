import { describe, expect, it } from 'vitest';
import { judgeChallenge } from './judge-challenge.ts';
import type { FrameFacts } from './judge-challenge.ts';
import { LIVENESS_CHECKS } from './liveness-engine.ts';
import type { LivenessChallenge, Pose } from './liveness-engine.ts';

const challenge: LivenessChallenge = {
  mode: 'active',
  poses: ['center', 'left', 'center', 'right'],
  issuedAt: 1_000_000,
  expiresAt: 1_060_000,
};
const YAW: Record<Pose, number> = { center: 1, left: 24, right: -22 };

/** Frames that meet the challenge, a second and a half apart; `change` spoils some of them. */
function frames(change: Record<number, Partial<FrameFacts>> = {}): FrameFacts[] {
  return challenge.poses.map((pose, nth) => ({
    receivedAt: challenge.issuedAt + 1_500 * (nth + 1),
    reasons: [],
    yawDegrees: YAW[pose],
    distance: 0.4,
    repeats: false,
    ...change[nth],
  }));
}

it('passes a challenge of which every check holds', () => {
  const { checks, ...judged } = judgeChallenge(challenge, frames());
  expect(judged).toEqual({ outcome: 'pass', reasons: [], passed: true });
  expect(checks).toEqual(Object.fromEntries(LIVENESS_CHECKS.map((check) => [check, true])));
});

it('lets a turning head be blurred, and not the look ahead', () => {
  const blurred = { reasons: ['blurred' as const] };
  expect(judgeChallenge(challenge, frames({ 1: blurred, 3: blurred })).outcome).toBe('pass');
  expect(judgeChallenge(challenge, frames({ 2: blurred }))).toMatchObject({ outcome: 'retry', reasons: ['blurred'] });
});

describe('one broken check alone keeps a challenge from passing', () => {
  it.each<[string, FrameFacts[], string, string, string]>([
    ['a turn to the other side', frames({ 1: { yawDegrees: -24 } }), 'reject', 'wrong_direction', 'poses_taken'],
    ['both turns to the other side', frames({ 1: { yawDegrees: -22 }, 3: { yawDegrees: 24 } }), 'reject', 'wrong_direction', 'poses_taken'], // prettier-ignore
    ['a turn too small', frames({ 3: { yawDegrees: -9 } }), 'retry', 'pose_not_taken', 'poses_taken'],
    ['no look ahead', frames({ 0: { yawDegrees: 20 } }), 'retry', 'pose_not_taken', 'poses_taken'],
    ['another person in a frame', frames({ 3: { distance: 0.8 } }), 'reject', 'person_changed', 'same_person'],
    ['somebody who may be another', frames({ 2: { distance: 0.65 } }), 'review', 'doubtful_likeness', 'same_person'],
    ['a frame before the challenge', frames({ 0: { receivedAt: challenge.issuedAt - 1 } }), 'retry', 'challenge_expired', 'in_time'], // prettier-ignore
    [
      'a frame too late',
      frames({ 3: { receivedAt: challenge.expiresAt + 1 } }),
      'retry',
      'challenge_expired',
      'in_time',
    ],
    ['frames out of order', frames({ 1: { receivedAt: challenge.issuedAt + 4_600 } }), 'retry', 'pose_not_taken', 'in_order'], // prettier-ignore
    ['one picture twice', frames({ 2: { repeats: true } }), 'retry', 'same_picture_twice', 'different_pictures'],
    ['a second face', frames({ 1: { reasons: ['two_faces'] } }), 'retry', 'two_faces', 'one_face_each'],
    ['a frame missing', frames().slice(0, 3), 'retry', 'pose_not_taken', 'a_picture_per_pose'],
    ['a frame too many', [...frames(), ...frames().slice(3)], 'retry', 'pose_not_taken', 'a_picture_per_pose'],
    [
      'all frames at once',
      frames().map((frame, nth) => ({ ...frame, receivedAt: challenge.issuedAt + 50 + nth })),
      'retry',
      'challenge_too_fast',
      'not_too_fast',
    ],
  ])('%s', (_, facts, outcome, reason, check) => {
    const judged = judgeChallenge(challenge, facts);
    expect(judged).toMatchObject({ outcome, passed: false, checks: { [check]: false } });
    expect(judged.reasons[0]).toBe(reason);
  });

  it('a frame without a face', () => {
    const facts = frames({ 1: { reasons: ['no_face'], yawDegrees: null, distance: null } });
    const judged = judgeChallenge(challenge, facts);
    expect(judged).toMatchObject({ outcome: 'retry', reasons: ['no_face'], passed: false });
  });

  it('no frames at all', () => {
    expect(judgeChallenge(challenge, [])).toMatchObject({ outcome: 'retry', passed: false });
  });

  it('a challenge that asks for nothing', () => {
    expect(judgeChallenge({ ...challenge, poses: [] }, [])).toMatchObject({ outcome: 'retry', passed: false });
  });
});

it('measures turns from where the subject looked when asked to look ahead', () => {
  const oblique = frames().map((frame) => ({ ...frame, yawDegrees: (frame.yawDegrees as number) - 9 }));
  expect(judgeChallenge(challenge, oblique).outcome).toBe('pass');
});
