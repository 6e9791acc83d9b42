import type { FaceStepInput } from '@constancia/contracts';
import { randomPoses } from '@constancia/face-matching';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import type { LivenessChallenge } from './liveness-challenge.entity.ts';
import type { StoredAsset } from '../uploads/assets.ts';

/** From the moment the challenge is issued until its last picture is here. */
export const CHALLENGE_SECONDS = 60;

/** Issues a challenge for a session; those issued before are good no more. */
export async function issueChallenge(tx: Tx, tenantId: string, sessionId: string): Promise<LivenessChallenge> {
  await tx.query('update identity.liveness_challenge set used_at = now() where session_id = $1 and used_at is null', [
    sessionId,
  ]);
  const [row] = await tx.query<LivenessChallenge>(
    `insert into identity.liveness_challenge (id, tenant_id, session_id, poses, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning *`,
    [uuidv7(), tenantId, sessionId, randomPoses(), CHALLENGE_SECONDS],
  );
  return row as LivenessChallenge;
}

/**
 * Takes a challenge for an attempt: it is good for no other. Whether the pictures answer it, in time and in order, the engine judges,
 * by the server's times. Throws StateConflict when the challenge is unknown, of another session or used.
 */
export async function takeChallenge(
  tx: Tx,
  sessionId: string,
  challengeId: string,
  frames: StoredAsset[],
): Promise<NonNullable<FaceStepInput['challenge']>> {
  const uuid = uuidOf('lch', challengeId);
  const [found] =
    uuid === null
      ? []
      : await tx.query<LivenessChallenge>(
          `update identity.liveness_challenge set used_at = now()
            where id = $1 and session_id = $2 and used_at is null returning *`,
          [uuid, sessionId],
        );
  if (!found) throw new StateConflict('The challenge is unknown here, or was used: ask for a new one.');
  return {
    id: typeId('lch', found.id),
    poses: found.poses,
    issued_at: found.issued_at.toISOString(),
    expires_at: found.expires_at.toISOString(),
    frames: frames.map(({ id, storedAt }) => ({ asset: id, received_at: storedAt.toISOString() })),
  };
}
