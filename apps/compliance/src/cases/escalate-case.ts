import { RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from './act-on-case.ts';
import { ApiCaseAction } from './case.openapi.ts';
import { dueAt, raised } from '../case-records/case-priority.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { Cases } from './cases.ts';
import { IsWrittenText } from './written-text.ts';

export class EscalateCaseBody {
  @ApiProperty({ example: 'Needs the compliance officer.' })
  @IsWrittenText()
  reason: string;
}

/** POST /v1/cases/{id}/escalate: to a supervisor, more urgent than before. */
@Controller('v1/cases')
@ApiTags('Cases')
export class EscalateCase {
  constructor(private readonly cases: Cases) {}

  @Post(':id/escalate')
  @RequireScope(CASE_ACTION_SCOPES.escalate)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'escalateCase',
    summary: 'Escalate a case to a supervisor',
    description: 'Raises its priority by one step; due_at follows from now on, and never later than it was.',
  })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: EscalateCaseBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'escalate', headers);
    const file = await this.cases.change(request, async (found, { to }) => {
      const now = new Date();
      const priority = raised(found.priority);
      const due = new Date(Math.min(found.due_at.getTime(), dueAt(priority, now).getTime()));
      const data = { reason, priority, previous_priority: found.priority, due_at: due.toISOString() };
      return {
        columns: { status: to, priority, due_at: due, escalated_at: now, escalation_reason: reason },
        events: [{ type: 'escalated', actor: request.actor, from: found.status, to, data }],
        notification: { kind: 'case_escalated', assignee: null },
      };
    });
    return answerWith(file, reply);
  }
}
