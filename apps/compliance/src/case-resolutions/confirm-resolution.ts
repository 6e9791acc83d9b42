import { RequireScope, CurrentPrincipal, type Principal, WhileClosing } from '@constancia/http';
import { Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { answerWith, type CaseHeaders, caseRequest } from '../cases/act-on-case.ts';
import { ApiCaseAction } from '../cases/case.openapi.ts';
import type { CaseDetailView } from '../cases/case-detail-view.ts';
import { CaseNotices } from '../cases/case-notices.ts';
import { Cases } from '../cases/cases.ts';
import { resolved } from './resolution.ts';
import { settingsOf } from '../settings/compliance-settings.ts';
import { proposalOfAnother } from './second-person.ts';

/** POST /v1/cases/{id}/confirm: the second pair of eyes. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ConfirmResolution {
  constructor(
    private readonly cases: Cases,
    private readonly notices: CaseNotices,
  ) {}

  @Post(':id/confirm')
  @RequireScope(CASE_ACTION_SCOPES.confirm)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'confirmCaseResolution',
    summary: 'Confirm a proposed resolution',
    description: 'By another X-Actor than the one who proposed it, else 409 state-conflict.',
  })
  @ApiCaseAction()
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    const request = caseRequest(principal, id, 'confirm', headers);
    const file = await this.cases.change(request, async (found, _, tx) => {
      const {
        proposed_by,
        proposed_at: __,
        proposer: ___,
        ...resolution
      } = proposalOfAnother(found, request, await settingsOf(tx, found.tenant_id));
      return resolved(tx, found, resolution, {
        resolvedBy: proposed_by,
        approvedBy: request.actor,
        tenantName: principal.tenant.displayName,
      });
    });
    this.notices.announce(file.found);
    return answerWith(file, reply);
  }
}
