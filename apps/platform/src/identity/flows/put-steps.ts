import {
  ApiIfMatch,
  ApiProblems,
  contentEtag,
  CurrentTenant,
  ETAG_HEADER,
  requireMatch,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { Body, Controller, Headers, Param, Put, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsArray } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { FLOW_ID_EXAMPLE, FlowStepView, FlowView } from './flow-view.ts';
import { changeSteps, Flows } from './flows.ts';
import { checkedSteps } from './step-config.ts';

export class StepsBody {
  @ApiProperty({ type: [FlowStepView], minItems: 1, maxItems: 10 })
  @IsArray()
  steps: unknown[];
}

/** PUT /v1/flows/{id}/steps: replaces the steps of a draft. */
@Controller('v1/flows')
@ApiTags('Flows')
export class PutSteps {
  constructor(private readonly flows: Flows) {}

  @Put(':id/steps')
  @RequireScope('identity:write')
  @ApiOperation({
    operationId: 'putFlowSteps',
    summary: 'Replace the steps of a draft',
    description:
      'Each step once; consent before document_upload, that before face_match and sarlaft, sarlaft last. Everything that is ' +
      'wrong is reported at once. With If-Match, steps that somebody saved meanwhile are not replaced.',
  })
  @ApiParam({ name: 'id', example: FLOW_ID_EXAMPLE })
  @ApiIfMatch('flow')
  @ApiOkResponse({ type: FlowView, headers: ETAG_HEADER })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: StepsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FlowView> {
    const result = checkedSteps(body.steps);
    const flow = await this.flows.change(tenant.id, id, 'change_steps', (draft, tx) => {
      if ('errors' in result) throw new ValidationError(result.errors);
      requireMatch(ifMatch, contentEtag(draft.steps), 'draft', contentEtag(result.steps));
      return changeSteps(tx, draft, result.steps);
    });
    void reply.header('ETag', contentEtag(flow.steps));
    return FlowView.of(flow);
  }
}
