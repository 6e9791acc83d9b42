import { randomInt } from 'node:crypto';
import { POSES } from './liveness-engine.ts';
import type { LivenessChallenge, LivenessMode, Pose } from './liveness-engine.ts';

const LENGTH = 5;
const VALID_MS = 60_000;

/** A sequence that cannot be foreseen: begins with a look ahead, no pose follows itself, and there is a turn to each side. */
export function randomPoses(pick: (below: number) => number = (below) => randomInt(below)): Pose[] {
  for (;;) {
    const poses: Pose[] = ['center'];
    while (poses.length < LENGTH) {
      const others = POSES.filter((pose) => pose !== poses.at(-1));
      poses.push(others[pick(others.length)] as Pose);
    }
    if (POSES.every((pose) => poses.includes(pose))) return poses;
  }
}

/** A challenge of this server. `now`: milliseconds since the epoch. */
export function newChallenge(mode: LivenessMode, now: number): LivenessChallenge {
  const poses = mode === 'active' ? randomPoses() : [];
  return { mode, poses, issuedAt: now, expiresAt: now + VALID_MS };
}
