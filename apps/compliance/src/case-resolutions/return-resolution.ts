import { RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from '../cases/act-on-case.ts';
import { ApiCaseAction } from '../cases/case.openapi.ts';
import type { CaseDetailView } from '../cases/case-detail-view.ts';
import { Cases } from '../cases/cases.ts';
import { settingsOf } from '../settings/compliance-settings.ts';
import { proposalOfAnother } from './second-person.ts';
import { IsWrittenText } from '../cases/written-text.ts';

export class ReturnResolutionBody {
  @ApiProperty({ example: 'The source of funds is missing.' })
  @IsWrittenText()
  reason: string;
}

/** POST /v1/cases/{id}/return: the second person does not agree; the case is in review again. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ReturnResolution {
  constructor(private readonly cases: Cases) {}

  @Post(':id/return')
  @RequireScope(CASE_ACTION_SCOPES.return)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'returnCaseResolution',
    summary: 'Return a proposed resolution',
    description: 'By another X-Actor than the one who proposed it, else 409 state-conflict.',
  })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: ReturnResolutionBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'return', headers);
    const file = await this.cases.change(request, async (found, { to }, tx) => {
      const settings = await settingsOf(tx, found.tenant_id);
      const { decision, proposed_by } = proposalOfAnother(found, request, settings);
      const data = { reason, decision, proposed_by };
      return {
        columns: { status: to, proposal: null },
        events: [{ type: 'resolution_returned', actor: request.actor, from: found.status, to, data }],
      };
    });
    return answerWith(file, reply);
  }
}
