import {
  AllowBearerToken,
  ApiProblems,
  Holder,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import { type Pose, POSES } from '@constancia/face-matching';
import { typeId } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IdentityDatabase } from '../identity-database.ts';
import type { LivenessChallenge } from './liveness-challenge.entity.ts';
import { CHALLENGE_SECONDS, issueChallenge } from './liveness-challenges.ts';
import { forCaller } from '../sessions/person-view.ts';
import { type SessionBearer, type SessionCaller, sessionCaller } from '../sessions/session-access.ts';
import { lockSessionNoWait, sessionRefusal } from '../sessions/session-changes.ts';
import { currentStep } from '../sessions/session-row.ts';
import { SESSION_TOKEN_PREFIX } from '../sessions/session-token.ts';
import { appendTrail } from '../sessions/session-trail.ts';
import { SESSION_ID_EXAMPLE } from '../sessions/session-view.ts';

export class LivenessChallengeView {
  @ApiProperty({ pattern: '^lch_[0-7][0-9a-hjkmnp-tv-z]{25}$' })
  challenge_id: string;

  @ApiProperty({
    maxItems: 5,
    enum: POSES,
    isArray: true,
    description: 'Upload one selfie per pose, in this order.',
  })
  poses: Pose[];

  @ApiProperty({ format: 'date-time' })
  issued_at: string;

  @ApiProperty({ format: 'date-time', description: 'The last picture must have arrived by then, by our clock.' })
  expires_at: string;
}

/** POST /v1/flows/sessions/{id}/liveness-challenge: what the subject is to do in front of the camera. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class IssueChallenge {
  constructor(private readonly database: IdentityDatabase) {}

  @Post(':id/liveness-challenge')
  @RequireScope('identity:write')
  @AllowBearerToken(SESSION_TOKEN_PREFIX)
  @ApiOperation({
    operationId: 'issueLivenessChallenge',
    summary: 'Begin active liveness',
    description:
      `A sequence of head turns, good for one attempt within ${CHALLENGE_SECONDS} seconds. Asking again ends the one before. Send its ` +
      'id with the stored_uri of every picture to advance.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiCreatedResponse({ type: LivenessChallengeView })
  @ApiProblems('unauthorized', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal | undefined,
    @Holder() bearer: SessionBearer | undefined,
    @Param('id') id: string,
  ): Promise<LivenessChallengeView> {
    const caller = sessionCaller(principal, bearer, id);
    const challenge = await forCaller(caller, () => this.issued(caller));
    return {
      challenge_id: typeId('lch', challenge.id),
      poses: challenge.poses,
      issued_at: challenge.issued_at.toISOString(),
      expires_at: challenge.expires_at.toISOString(),
    };
  }

  private issued({ tenantId, sessionId, actor, by }: SessionCaller): Promise<LivenessChallenge> {
    return this.database.tenant(tenantId, async (tx) => {
      const session = await lockSessionNoWait(tx, tenantId, sessionId);
      const step = currentStep(session);
      if (!step) throw sessionRefusal(session, 'advance');
      if (step.step_type !== 'face_match') {
        throw new StateConflict(`The session stands at ${step.step_type}: a challenge belongs to face_match.`);
      }
      const issued = await issueChallenge(tx, tenantId, sessionId);
      await appendTrail(tx, { tenantId, sessionId }, [
        {
          type: 'challenge_issued',
          actor,
          step: step.step_type,
          from: session.status,
          to: session.status,
          data: { challenge_id: typeId('lch', issued.id), poses: issued.poses.length, by },
        },
      ]);
      return issued;
    });
  }
}
