import { ApiOptional, RequireScope, CurrentPrincipal, type Principal } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from './act-on-case.ts';
import { ApiCaseAction } from './case.openapi.ts';
import { dueAt } from '../case-records/case-priority.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { Cases } from './cases.ts';
import { IsWrittenText } from './written-text.ts';

export class ReopenCaseBody {
  @ApiOptional()
  @IsWrittenText()
  reason?: string;
}

/** POST /v1/cases/{id}/reopen: the former resolution stays in the timeline, and what it dismissed counts again. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ReopenCase {
  constructor(private readonly cases: Cases) {}

  @Post(':id/reopen')
  @RequireScope(CASE_ACTION_SCOPES.reopen)
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reopenCase',
    summary: 'Reopen a resolved case',
    description: 'Its former resolution stays in the timeline; hits that it dismissed count again.',
  })
  @ApiBody({ type: ReopenCaseBody, required: false })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: ReopenCaseBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'reopen', headers);
    const file = await this.cases.change(request, async (found, { to }, tx) => {
      await tx.query(
        `update compliance.suppressed_hit set withdrawn_at = now()
          where tenant_id = $1 and case_id = $2 and withdrawn_at is null`,
        [principal.tenant.id, found.id],
      );
      const due = dueAt(found.priority, new Date());
      const data = { reason: reason ?? null, previous_decision: found.decision, due_at: due.toISOString() };
      return {
        columns: {
          status: to,
          due_at: due,
          resolved_at: null,
          decision: null,
          decision_reason: null,
          resolved_by: null,
          four_eyes_approver: null,
          reopened_count: found.reopened_count + 1,
        },
        events: [{ type: 'reopened', actor: request.actor, from: found.status, to, data }],
      };
    });
    return answerWith(file, reply);
  }
}
