import { ApiOptional, RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from '../cases/act-on-case.ts';
import { ApiCaseAction } from '../cases/case.openapi.ts';
import type { CaseDetailView } from '../cases/case-detail-view.ts';
import { Cases } from '../cases/cases.ts';
import { IsWrittenText } from '../cases/written-text.ts';
import { ownProposal } from './second-person.ts';

export class WithdrawResolutionBody {
  @ApiOptional({ example: 'I compared it with the wrong document.' })
  @IsWrittenText()
  reason?: string;
}

/** POST /v1/cases/{id}/withdraw: who proposed a decision takes it back; the case is in review again. */
@Controller('v1/cases')
@ApiTags('Cases')
export class WithdrawResolution {
  constructor(private readonly cases: Cases) {}

  @Post(':id/withdraw')
  @RequireScope(CASE_ACTION_SCOPES.withdraw)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'withdrawCaseResolution',
    summary: 'Withdraw your own proposed resolution',
    description:
      'Before a second person confirms or returns it. By the X-Actor who proposed it, else 409 state-conflict.',
  })
  @ApiBody({ type: WithdrawResolutionBody, required: false })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: WithdrawResolutionBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'withdraw', headers);
    const file = await this.cases.change(request, (found, { to }) => {
      const data = { decision: ownProposal(found, request).decision, ...(reason !== undefined && { reason }) };
      const event = { type: 'resolution_withdrawn', actor: request.actor, from: found.status, to, data } as const;
      return Promise.resolve({ columns: { status: to, proposal: null }, events: [event] });
    });
    return answerWith(file, reply);
  }
}
