import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  MayBeStale,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { DECISIONS, type Decision, SUBJECT_TYPES, type SubjectType } from '@constancia/rule-graph';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import type { ScreeningOutcome } from './assess.ts';
import { type Trigger, TRIGGERS } from './screening-history.ts';
import { ScreeningPage, ScreeningView } from './screening-view.ts';
import { Screenings } from './screenings.ts';

export class ListScreeningsQuery extends PageQuery {
  @ApiOptional({ enumName: 'Decision' })
  @IsIn(DECISIONS)
  decision?: Decision;

  @ApiOptional({ description: 'Only screenings by this code.' })
  @IsString()
  @Length(1, 64)
  validation_code?: string;

  @ApiOptional({ description: 'Only screenings with exactly this reference.' })
  @IsString()
  @Length(1, 200)
  subject_ref?: string;

  @ApiOptional({ enumName: 'SubjectType' })
  @IsIn(SUBJECT_TYPES)
  subject_type?: SubjectType;

  @ApiOptional({ enumName: 'ScreeningTrigger' })
  @IsIn(TRIGGERS)
  trigger?: Trigger;
}

/** GET /v1/screenings: newest first. */
@Controller('v1/screenings')
@ApiTags('Screenings')
export class ListScreenings {
  constructor(private readonly screenings: Screenings) {}

  @Get()
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listScreenings',
    summary: 'List screenings, newest first',
    description:
      'The filters may be combined. What was said of the subject is returned by GET /v1/screenings/{id} alone. Without those that are ' +
      'archived (`archived_until`), which GET /v1/screenings/{id} reads from their files.',
  })
  @ApiOkResponse({ type: ScreeningPage, description: 'A page of screenings.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListScreeningsQuery): Promise<ScreeningPage> {
    const { rows, archived } = await this.screenings.list(tenant.id, {
      decision: query.decision,
      validationCode: query.validation_code,
      subjectRef: query.subject_ref,
      subjectType: query.subject_type,
      trigger: query.trigger,
      beforeId: beforeId(query),
      limit: query.limit + 1,
    });
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.id]);
    return {
      data: data.map((row) => ScreeningView.of(row, JSON.parse(row.result) as ScreeningOutcome)),
      next_cursor,
      archived_until: archived?.toISOString() ?? null,
    };
  }
}
