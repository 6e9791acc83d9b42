import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { SESSION_STATUSES, type SessionStatus } from './session-states.ts';
import { SessionPage, SessionView } from './session-view.ts';
import { Sessions } from './sessions.ts';

export class SessionQuery extends PageQuery {
  @ApiOptional()
  @IsIn(SESSION_STATUSES)
  status?: SessionStatus;

  @ApiOptional({
    ...shape.id('sub'),
    description: 'Sessions of one subject.',
    example: 'sub_01jd3v4x5pfqk8a9s7b2m0c1de',
  })
  @IsString()
  subject_id?: string;

  @ApiOptional()
  @IsString()
  @Length(1, 200)
  external_ref?: string;
}

/** GET /v1/flows/sessions: newest first. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ListSessions {
  constructor(private readonly sessions: Sessions) {}

  @Get()
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'listFlowSessions',
    summary: 'List sessions',
    description: 'Newest first; `status`, `subject_id` and `external_ref` narrow it.',
  })
  @ApiOkResponse({ type: SessionPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: SessionQuery): Promise<SessionPage> {
    const { limit, status, external_ref: externalRef } = query;
    const before = beforeId(query);
    const subjectId = query.subject_id === undefined ? undefined : uuidOf('sub', query.subject_id);
    if (subjectId === null) {
      const detail = 'Give a subject_id as the service wrote it.';
      throw new ValidationError([{ pointer: '/query/subject_id', code: 'wrong_format', detail }]);
    }
    const rows = await this.sessions.list(tenant.id, { status, subjectId, externalRef, before, limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map((session) => SessionView.of(session)), next_cursor };
  }
}
