import { ApiProblems, contentEtag, CurrentTenant, ETAG_HEADER, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { FLOW_ID_EXAMPLE, FlowView } from './flow-view.ts';
import { Flows } from './flows.ts';

/** GET /v1/flows/{id}: one version of a flow. */
@Controller('v1/flows')
@ApiTags('Flows')
export class ShowFlow {
  constructor(private readonly flows: Flows) {}

  @Get(':id')
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showFlow',
    summary: 'Show a flow',
    description: 'One version, with its steps and what each is configured with.',
  })
  @ApiParam({ name: 'id', example: FLOW_ID_EXAMPLE })
  @ApiOkResponse({ type: FlowView, headers: ETAG_HEADER })
  @ApiProblems('not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FlowView> {
    const flow = await this.flows.find(tenant.id, id);
    void reply.header('ETag', contentEtag(flow.steps));
    return FlowView.of(flow);
  }
}
