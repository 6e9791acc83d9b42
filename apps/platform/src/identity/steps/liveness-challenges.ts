import type { CaptureChallenge, FaceStepInput } from '@constancia/contracts';
import { randomPoses } from '@constancia/face-matching';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { SessionCaller } from '../sessions/session-access.ts';
import { lockSessionNoWait, sessionRefusal } from '../sessions/session-changes.ts';
import { currentStep } from '../sessions/session-row.ts';
import { appendTrail } from '../sessions/session-trail.ts';
import type { StoredAsset } from '../uploads/assets.ts';
import type { LivenessChallenge } from './liveness-challenge.entity.ts';

/** From the moment the challenge is issued until its last picture is here. */
export const CHALLENGE_SECONDS = 60;
/** The same of the nonce for frames of passive liveness: the person may have to find the light first. */
const NONCE_SECONDS = 120;

/** active: a sequence of poses. passive: a nonce that binds frames to the session and the moment; a challenge without poses. */
export type ChallengeKind = CaptureChallenge['kind'];

/** Issues challenges for the face of a subject. */
@Injectable()
export class LivenessChallenges {
  constructor(private readonly database: IdentityDatabase) {}

  /** Issues one; those issued before are good no more. Throws StateConflict when the session does not stand at face_match. */
  issue({ tenantId, sessionId, actor }: SessionCaller, kind?: ChallengeKind): Promise<LivenessChallenge> {
    return this.database.tenant(tenantId, async (tx) => {
      const session = await lockSessionNoWait(tx, tenantId, sessionId);
      const step = currentStep(session);
      if (!step) throw sessionRefusal(session, 'advance');
      if (step.step_type !== 'face_match') {
        throw new StateConflict(`The session stands at ${step.step_type}: a challenge belongs to face_match.`);
      }
      const wanted = kind ?? (step.config.liveness_mode === 'active' ? 'active' : 'passive');
      const issued = await insertChallenge(tx, { tenantId, sessionId, kind: wanted });
      await appendTrail(tx, { tenantId, sessionId }, [
        {
          type: 'challenge_issued',
          actor,
          step: step.step_type,
          from: session.status,
          to: session.status,
          data: { challenge_id: typeId('lch', issued.id), poses: issued.poses.length },
        },
      ]);
      return issued;
    });
  }

  /** Issues the one that the step asks for. */
  async forStep(caller: SessionCaller): Promise<CaptureChallenge> {
    const { id, poses, ...times } = await this.issue(caller);
    const issued_at = times.issued_at.toISOString();
    const expires_at = times.expires_at.toISOString();
    return poses.length === 0
      ? { kind: 'passive', nonce: typeId('lch', id), issued_at, expires_at }
      : { kind: 'active', challenge_id: typeId('lch', id), poses, issued_at, expires_at };
  }
}

async function insertChallenge(
  tx: Tx,
  { tenantId, sessionId, kind }: { tenantId: string; sessionId: string; kind: ChallengeKind },
): Promise<LivenessChallenge> {
  await tx.query('update identity.liveness_challenge set used_at = now() where session_id = $1 and used_at is null', [
    sessionId,
  ]);
  const [row] = await tx.query<LivenessChallenge>(
    `insert into identity.liveness_challenge (id, tenant_id, session_id, poses, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning *`,
    kind === 'active'
      ? [uuidv7(), tenantId, sessionId, randomPoses(), CHALLENGE_SECONDS]
      : [uuidv7(), tenantId, sessionId, [], NONCE_SECONDS],
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
  const found = await take(tx, sessionId, challengeId, 'cardinality(poses) > 0');
  if (!found) throw new StateConflict('The challenge is unknown here, or was used: ask for a new one.');
  return { ...issuedOf(found), poses: found.poses, frames: receivedFrames(frames) };
}

/**
 * Takes the nonce of frames for an attempt: it is good for no other. Throws StateConflict when it is unknown, of another session, used or
 * over, and ValidationError for frames that are older than it.
 */
export async function takeNonce(
  tx: Tx,
  sessionId: string,
  nonce: string,
  frames: StoredAsset[],
): Promise<NonNullable<FaceStepInput['passive']>> {
  const found = await take(tx, sessionId, nonce, 'cardinality(poses) = 0 and expires_at > now()');
  if (!found) throw new StateConflict('The nonce is unknown here, is over or was used: ask for a new one.');
  const early = frames.findIndex(({ storedAt }) => storedAt < found.issued_at);
  if (early !== -1) {
    const detail = 'This frame was sent before the nonce was issued: take the frames again.';
    throw new ValidationError([{ pointer: `/input/frames/${early}`, code: 'not_allowed', detail }]);
  }
  return { ...issuedOf(found), frames: receivedFrames(frames) };
}

async function take(tx: Tx, sessionId: string, id: string, that: string): Promise<LivenessChallenge | undefined> {
  const uuid = uuidOf('lch', id);
  if (uuid === null) return undefined;
  const [found] = await tx.query<LivenessChallenge>(
    `update identity.liveness_challenge set used_at = now()
      where id = $1 and session_id = $2 and used_at is null and ${that} returning *`,
    [uuid, sessionId],
  );
  return found;
}

const issuedOf = ({ id, issued_at, expires_at }: LivenessChallenge) => ({
  id: typeId('lch', id),
  issued_at: issued_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

const receivedFrames = (frames: StoredAsset[]) =>
  frames.map(({ id, storedAt }) => ({ asset: id, received_at: storedAt.toISOString() }));
