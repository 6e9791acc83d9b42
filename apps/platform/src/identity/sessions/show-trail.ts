import { shape } from '@constancia/contracts';
import {
  ApiProblems,
  CurrentTenant,
  cursorKeys,
  page,
  PageQuery,
  pathUuid,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SESSION_STATUSES } from './session-states.ts';
import { TRAIL_TYPES } from './session-trail.ts';
import { SESSION_ID_EXAMPLE } from './session-view.ts';
import { type ReviewWithReason, Sessions } from './sessions.ts';

export class SessionEventView {
  @ApiProperty(shape.ordinal)
  seq: number;

  @ApiProperty({ enum: TRAIL_TYPES })
  type: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({
    ...shape.text(128),
    description: '`subject`, the prefix of an API key or its X-Actor, `compliance`, `signing` or `system`.',
  })
  actor: string;

  @ApiProperty({ ...shape.word, type: String, nullable: true })
  step: string | null;

  @ApiProperty({ type: String, enum: [...SESSION_STATUSES, null], nullable: true })
  from: string | null;

  @ApiProperty({ enum: SESSION_STATUSES })
  to: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;

  @ApiProperty(shape.sha256)
  prev_hash: string;

  @ApiProperty({
    ...shape.sha256,
    description: 'SHA-256 of prev_hash and the event without hash in canonical JSON (RFC 8785), hex.',
  })
  hash: string;
}

export class SessionReviewView {
  @ApiProperty({ ...shape.id('srv'), description: 'As in the data of the event.' })
  review_id: string;

  @ApiProperty({ enum: ['approve', 'reject'] })
  decision: string;

  @ApiProperty(shape.text(128))
  actor: string;

  @ApiProperty({
    enum: ['asked', 'waiting', 'decided', 'refused', 'superseded'],
    description: 'asked: the compliance module has not answered; waiting: for a second person.',
  })
  status: string;

  @ApiProperty({ ...shape.text(1000), type: String, nullable: true, description: 'Null once the subject was erased.' })
  reason: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of({ id, decision, actor, status, reason, created_at }: ReviewWithReason): SessionReviewView {
    return { review_id: typeId('srv', id), decision, actor, status, reason, created_at: created_at.toISOString() };
  }
}

export class SessionTrailPage {
  @ApiProperty({ maxItems: 100, type: [SessionEventView], description: 'The oldest first.' })
  data: SessionEventView[];

  @ApiProperty({ ...shape.cursor, type: String, nullable: true })
  next_cursor: string | null;

  @ApiProperty({ maxItems: 1000, type: [SessionReviewView], description: 'What people decided, the oldest first.' })
  reviews: SessionReviewView[];

  @ApiProperty({ description: 'Whether the whole chain, from its first event, is unbroken.' })
  chain_valid: boolean;
}

/** GET /v1/flows/sessions/{id}/audit: everything that happened in a session, hash-chained. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ShowTrail {
  constructor(private readonly sessions: Sessions) {}

  @Get(':id/audit')
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showFlowSessionAudit',
    summary: 'Audit trail of a session',
    description:
      'Holds no personal data: it stays when the subject is erased. The trail of a session that ended years ago may be in an archived ' +
      'file, and is answered from there.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiOkResponse({ type: SessionTrailPage })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<SessionTrailPage> {
    const [after = 0] = cursorKeys(query, 1) ?? [];
    const { events, reviews } = await this.sessions.trail(tenant.id, pathUuid('fls', id));
    const rest = events.filter(({ seq }) => seq > Number(after)).slice(0, query.limit + 1);
    return {
      ...page(rest, query.limit, ({ seq }) => [seq]),
      reviews: reviews.map((review) => SessionReviewView.of(review)),
      chain_valid: verifyChain(events).valid,
    };
  }
}
