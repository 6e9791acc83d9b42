import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { FLOW_ID_EXAMPLE, FlowView } from './flow-view.ts';
import { Flows, publish } from './flows.ts';

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
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<FlowView> {
    return FlowView.of(await this.flows.change(tenant.id, id, 'publish', (draft, tx) => publish(tx, draft)));
  }
}
