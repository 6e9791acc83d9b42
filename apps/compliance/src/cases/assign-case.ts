import { RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from './act-on-case.ts';
import { ApiCaseAction } from './case.openapi.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { Cases } from './cases.ts';
import { IsWrittenText } from './written-text.ts';

export class AssignCaseBody {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Who works on it, by the name that you have for your analyst; null takes it from its assignee.',
    example: 'ana.analyst',
  })
  @ValidateIf((body: AssignCaseBody) => body.assignee !== null)
  @IsWrittenText(128)
  assignee: string | null;
}

/** POST /v1/cases/{id}/assign: the same assignee again changes nothing. */
@Controller('v1/cases')
@ApiTags('Cases')
export class AssignCase {
  constructor(private readonly cases: Cases) {}

  @Post(':id/assign')
  @RequireScope(CASE_ACTION_SCOPES.assign)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({ operationId: 'assignCase', summary: 'Assign a case', description: 'An open case is then in review.' })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: AssignCaseBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'assign', headers);
    const assignee = body.assignee?.trim() ?? null;
    const file = await this.cases.change(request, async (found, transition) => {
      if (found.assignee === assignee) return null;
      const { status: from } = found;
      const to = assignee === null ? from : transition.to;
      const data = { assignee, previous: found.assignee };
      const type = assignee === null ? 'unassigned' : 'assigned';
      return { columns: { assignee, status: to }, events: [{ type, actor: request.actor, from, to, data }] };
    });
    return answerWith(file, reply);
  }
}
