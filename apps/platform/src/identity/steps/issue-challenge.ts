import {
  AllowBearerToken,
  ApiOptional,
  ApiProblems,
  Holder,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { type Pose, POSES } from '@constancia/face-matching';
import { typeId } from '@constancia/kernel';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CHALLENGE_SECONDS, type ChallengeKind, LivenessChallenges } from './liveness-challenges.ts';
import { forCaller } from '../sessions/person-view.ts';
import { type SessionBearer, sessionCaller } from '../sessions/session-access.ts';
import { SESSION_TOKEN_PREFIX } from '../sessions/session-token.ts';
import { SESSION_ID_EXAMPLE } from '../sessions/session-view.ts';

export class LivenessChallengeView {
  @ApiProperty({ pattern: '^lch_[0-7][0-9a-hjkmnp-tv-z]{25}$' })
  challenge_id: string;

  @ApiProperty({
    maxItems: 5,
    enum: POSES,
    isArray: true,
    description: 'Upload one selfie per pose, in this order. None in a passive challenge.',
  })
  poses: Pose[];

  @ApiProperty({ format: 'date-time' })
  issued_at: string;

  @ApiProperty({ format: 'date-time', description: 'The last picture must have arrived by then, by our clock.' })
  expires_at: string;
}

export class LivenessChallengeBody {
  @ApiOptional({
    default: 'active',
    description: 'active: a sequence of head turns. passive: no poses; send `challenge_id` as the `nonce` of `frames`.',
  })
  @IsIn(['active', 'passive'])
  kind?: ChallengeKind;
}

/** POST /v1/flows/sessions/{id}/liveness-challenge: what the subject is to do in front of the camera. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class IssueChallenge {
  constructor(private readonly challenges: LivenessChallenges) {}

  @Post(':id/liveness-challenge')
  @RequireScope('identity:write')
  @WhileClosing()
  @AllowBearerToken(SESSION_TOKEN_PREFIX)
  @ApiOperation({
    operationId: 'issueLivenessChallenge',
    summary: 'Begin a check for life',
    description:
      `A sequence of head turns, good for one attempt within ${CHALLENGE_SECONDS} seconds; or, for frames that are checked without any, a ` +
      'nonce that is good for one attempt within two minutes. Asking again ends the one before. Send its id with the stored_uri of every ' +
      'picture to advance.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiBody({ type: LivenessChallengeBody, required: false })
  @ApiCreatedResponse({ type: LivenessChallengeView })
  @ApiProblems('validation-error', 'bad-request', 'unauthorized', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal | undefined,
    @Holder() bearer: SessionBearer | undefined,
    @Param('id') id: string,
    @Body() { kind = 'active' }: LivenessChallengeBody,
  ): Promise<LivenessChallengeView> {
    const caller = sessionCaller(principal, bearer, id);
    const challenge = await forCaller(caller, () => this.challenges.issue(caller, kind));
    return {
      challenge_id: typeId('lch', challenge.id),
      poses: challenge.poses,
      issued_at: challenge.issued_at.toISOString(),
      expires_at: challenge.expires_at.toISOString(),
    };
  }
}
