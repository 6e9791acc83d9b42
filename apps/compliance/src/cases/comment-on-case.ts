import { RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from './act-on-case.ts';
import { ApiCaseAction } from './case.openapi.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { Cases } from './cases.ts';
import { IsWrittenText } from './written-text.ts';

export class CommentBody {
  @ApiProperty({ example: 'Asked the customer for a second document.' })
  @IsWrittenText()
  body: string;
}

/** POST /v1/cases/{id}/comment: a resolved case is reopened first. */
@Controller('v1/cases')
@ApiTags('Cases')
export class CommentOnCase {
  constructor(private readonly cases: Cases) {}

  @Post(':id/comment')
  @RequireScope(CASE_ACTION_SCOPES.comment)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'commentOnCase',
    summary: 'Comment on a case',
    description: 'Written to the timeline; the state stays. A resolved case takes none: reopen it first.',
  })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { body }: CommentBody,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'comment', headers);
    const file = await this.cases.change(request, async ({ status: from }, { to }) => ({
      columns: {},
      events: [{ type: 'commented', actor: request.actor, from, to, data: { body } }],
    }));
    return answerWith(file, reply);
  }
}
