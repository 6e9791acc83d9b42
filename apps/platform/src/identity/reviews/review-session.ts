import {
  actingOf,
  ApiActor,
  ApiProblems,
  pathUuid,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { settledWithin } from '../settled-within.ts';
import { SessionReviews } from './session-reviews.ts';
import { SESSION_ID_EXAMPLE, SessionView } from '../sessions/session-view.ts';

/** How long an answer waits for the compliance module. */
const ANSWER_MS = 5_000;

export const REVIEW_DECISIONS = ['approve', 'reject'] as const;

export class ReviewBody {
  @ApiProperty()
  @IsIn(REVIEW_DECISIONS)
  decision: (typeof REVIEW_DECISIONS)[number];

  @ApiProperty({ example: 'Called the customer; the document is theirs.' })
  @IsString()
  @Length(1, 1000)
  reason: string;
}

/** POST /v1/flows/sessions/{id}/review: a person decides. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ReviewSession {
  constructor(private readonly reviews: SessionReviews) {}

  @Post(':id/review')
  @RequireScope('identity:review')
  @WhileClosing()
  @HttpCode(200)
  @ApiActor()
  @ApiOperation({
    operationId: 'reviewFlowSession',
    summary: 'Decide a session in manual_review',
    description:
      'approve completes it, reject fails it, once the compliance module agrees: a case that it keeps about the subject is resolved alike, ' +
      'and resolving the case there decides the session here. Where the tenant’s four eyes apply, the session stays in manual_review ' +
      'with `pending_approval` until a second person decides the same: a member, or one whom a key names in X-Actor while the compliance ' +
      'settings declare trusted_actor. Nothing is emitted before. The same person again, also under a name that looks alike: 409.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiOkResponse({ type: SessionView })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actorHeader: string | undefined,
    @Param('id') id: string,
    @Body() { decision, reason }: ReviewBody,
  ): Promise<SessionView> {
    const review = { decision, reason, ...actingOf(actorHeader, principal) };
    const sessionId = pathUuid('fls', id);
    const reviewId = await this.reviews.propose(principal.tenant.id, sessionId, review);
    this.reviews.wake(); // may be lost: the sweep asks
    const seen = await settledWithin(
      ANSWER_MS,
      () => this.reviews.seen(principal.tenant.id, sessionId, reviewId),
      (now) => now.review.status !== 'asked' || now.session.status !== 'manual_review',
    );
    if (seen.review.status === 'refused') throw new StateConflict(seen.review.detail ?? 'The case does not take it.');
    return SessionView.of(seen.session);
  }
}
