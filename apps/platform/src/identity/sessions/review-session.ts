import { ApiActor, actorOf, ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { currentTraceparent } from '@constancia/telemetry';
import { Body, Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { ComplianceRequests } from '../steps/compliance-requests.ts';
import { moveSession } from './move-session.ts';
import { lockSession, sessionRefusal, sessionUuid } from './session-changes.ts';
import { SESSION_ID_EXAMPLE, SessionView } from './session-view.ts';
import { Sessions } from './sessions.ts';

export const REVIEW_DECISIONS = ['approve', 'reject'] as const;

export class ReviewBody {
  @ApiProperty({ enum: REVIEW_DECISIONS })
  @IsIn(REVIEW_DECISIONS)
  decision: (typeof REVIEW_DECISIONS)[number];

  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'Called the customer; the document is theirs.' })
  @IsString()
  @Length(1, 1000)
  reason: string;
}

/** POST /v1/flows/sessions/{id}/review: a person decides. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ReviewSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly compliance: ComplianceRequests,
  ) {}

  @Post(':id/review')
  @HttpCode(200)
  @ApiActor()
  @ApiOperation({
    operationId: 'reviewFlowSession',
    summary: 'Decide a session in manual_review',
    description:
      'approve completes it, reject fails it. A case that the compliance module keeps about it is resolved alike; resolving the case ' +
      'there decides the session here. Put no personal data into the reason: the trail keeps it for good.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiOkResponse({ type: SessionView })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Headers('x-actor') actorHeader: string | undefined,
    @Param('id') id: string,
    @Body() { decision, reason }: ReviewBody,
  ): Promise<SessionView> {
    const actor = actorOf(actorHeader, tenant);
    const { database, subjects } = this.sessions;
    const moved = await database.tenant(tenant.id, async (tx) => {
      const session = await lockSession(tx, tenant.id, sessionUuid(id));
      if (session.status !== 'manual_review') throw sessionRefusal(session, 'review');
      const subject = await subjects.find(tx, tenant.id, session.subject_id);
      const approved = decision === 'approve';
      return moveSession(tx, subjects, {
        session,
        subject,
        action: approved ? 'approve' : 'disapprove',
        actor,
        reason: approved ? null : 'manual_review',
        what: { type: 'reviewed', data: { decision, reason } },
        columns: {
          last_outcome: approved ? 'advance' : 'reject',
          ...(session.case_id !== null && {
            case_request: { request_id: uuidv7(), decision, reason, actor, traceparent: currentTraceparent() ?? null },
          }),
        },
      });
    });
    this.compliance.askSoon(); // may be lost: the sweep tells the case
    return SessionView.of(moved);
  }
}
