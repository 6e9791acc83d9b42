import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { answerWith } from './act-on-case.ts';
import { ApiCaseDetail } from './case.openapi.ts';
import { transitionsTable } from '../case-records/case-states.ts';
import type { CaseDetailView } from './case-detail-view.ts';
import { Cases } from './cases.ts';

/** GET /v1/cases/{id} */
@Controller('v1/cases')
@ApiTags('Cases')
export class ShowCase {
  constructor(private readonly cases: Cases) {}

  @Get(':id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showCase',
    summary: 'Show a case with its timeline',
    description:
      'Every event of the timeline carries the hash of the one before; `chain_valid` says whether the chain holds. ' +
      'Anybody can check it: see the guide on verifying a timeline.\n\n' +
      `What can be done with a case (everything else is 409 state-conflict with \`allowed_actions\`):\n\n${transitionsTable()}`,
  })
  @ApiCaseDetail('The case as it stands.')
  @ApiProblems('not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CaseDetailView> {
    return answerWith(await this.cases.file(tenant.id, id), reply);
  }
}
