import { ApiOptional, RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ValidationError } from '@constancia/problem-json';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, Length, ValidateNested } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from '../cases/act-on-case.ts';
import { ApiCaseAction } from '../cases/case.openapi.ts';
import type { CaseDetailView } from '../cases/case-detail-view.ts';
import { CaseNotices } from '../cases/case-notices.ts';
import { Cases } from '../cases/cases.ts';
import { decided } from './decide-case.ts';
import { DISCRIMINATING_DATA } from './four-eyes.ts';
import { CASE_DECISIONS, type CaseDecision, type Resolution } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { IsWrittenText } from '../cases/written-text.ts';

export class ConfirmedHit {
  @ApiProperty()
  @IsIn(ALL_LIST_CODES)
  list: ListCode;

  @ApiProperty()
  @IsString()
  @Length(1, 200)
  entry_id: string;
}

export class ResolveCaseBody {
  @ApiProperty({
    enumName: 'CaseDecision',
    description:
      '`false_positive` approves and dismisses the hits until the subject or the entry changes; `true_match` rejects and drafts ' +
      'a ROS, after which nothing about the case is announced any more.',
  })
  @IsIn(CASE_DECISIONS)
  decision: CaseDecision;

  @ApiProperty({ example: 'Different birth date and document number.' })
  @IsWrittenText()
  reason: string;

  @ApiOptional({
    description:
      'The facts that tell the subject from the listed person. Needed to clear a hit on ONU, unless reason names them.',
  })
  @IsArray()
  @ArrayMaxSize(DISCRIMINATING_DATA.length)
  @IsIn(DISCRIMINATING_DATA, { each: true })
  discriminating_data?: string[];

  @ApiOptional({
    type: () => [ConfirmedHit],
    description: 'With true_match: the hits that are the subject; all when left out.',
  })
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ConfirmedHit)
  hits?: ConfirmedHit[];
}

/** POST /v1/cases/{id}/resolve: with four eyes it is a proposal that another person confirms or returns. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ResolveCase {
  constructor(
    private readonly cases: Cases,
    private readonly notices: CaseNotices,
  ) {}

  @Post(':id/resolve')
  @RequireScope(CASE_ACTION_SCOPES.resolve)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resolveCase',
    summary: 'Resolve a case',
    description:
      'Where the tenant asks for four eyes, the case is pending_approval until another person confirms or returns it.',
  })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: ResolveCaseBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'resolve', headers);
    const file = await this.cases.change(request, async (found, transition, tx) => {
      const who = { actor: request.actor, by: request.by, tenantName: principal.tenant.displayName };
      return decided(tx, { found, transition, resolution: resolutionOf(body, found) }, who);
    });
    this.notices.announce(file.found);
    return answerWith(file, reply);
  }
}

function resolutionOf(body: ResolveCaseBody, found: ReviewCase): Resolution {
  const hits = body.hits ?? [];
  const errors = hits.flatMap(({ list, entry_id }, at) => {
    if (found.hits.some((hit) => hit.list === list && hit.entry_id === entry_id)) return [];
    return [{ pointer: `/hits/${at}`, code: 'unknown_hit', detail: 'The case has no hit on this entry.' }];
  });
  if (body.decision !== 'true_match' && hits.length > 0) {
    errors.push({ pointer: '/hits', code: 'not_allowed', detail: 'Only true_match takes hits.' });
  }
  if (errors.length > 0) throw new ValidationError(errors);
  const { decision, reason, discriminating_data = [] } = body;
  return { decision, reason, discriminating_data, hits: hits.map(({ list, entry_id }) => ({ list, entry_id })) };
}
