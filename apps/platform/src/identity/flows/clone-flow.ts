import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { FLOW_ID_EXAMPLE, FlowView } from './flow-view.ts';
import { addDraft, Flows } from './flows.ts';

/** POST /v1/flows/{id}/clone: the next version of the same code, as a draft with the same steps. */
@Controller('v1/flows')
@ApiTags('Flows')
export class CloneFlow {
  constructor(private readonly flows: Flows) {}

  @Post(':id/clone')
  @RequireScope('identity:write')
  @ApiOperation({
    operationId: 'cloneFlow',
    summary: 'Copy a flow into a draft',
    description:
      'The draft has the steps of this version and the next version number. Publishing it deprecates the published one.',
  })
  @ApiParam({ name: 'id', example: FLOW_ID_EXAMPLE })
  @ApiCreatedResponse({ type: FlowView, description: 'The draft.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<FlowView> {
    const draft = await this.flows.change(tenant.id, id, 'clone', (flow, tx) => addDraft(tx, tenant.id, flow));
    return FlowView.of(draft);
  }
}
