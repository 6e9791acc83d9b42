import { AuditLog } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { FLOW_ID_EXAMPLE, FlowView } from './flow-view.ts';
import { Flows, publicationAudit, publish } from './flows.ts';

/** POST /v1/flows/{id}/publish: from now on new sessions use this version; those under way keep theirs. */
@Controller('v1/flows')
@ApiTags('Flows')
export class PublishFlow {
  constructor(private readonly flows: Flows) {}

  @Post(':id/publish')
  @RequireScope('identity:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'publishFlow',
    summary: 'Publish a draft',
    description: 'Deprecates the version of the same code and type that was published before, in the same step.',
  })
  @ApiParam({ name: 'id', example: FLOW_ID_EXAMPLE })
  @ApiOkResponse({ type: FlowView })
  @ApiProblems('not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
  ): Promise<FlowView> {
    const flow = await this.flows.change(principal.tenant.id, id, 'publish', async (draft, tx) => {
      const published = await publish(tx, draft);
      await AuditLog.record(tx, { principal, origin, ...publicationAudit(published) });
      return published;
    });
    return FlowView.of(flow);
  }
}
