import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Matches } from 'class-validator';
import { FLOW_STATUSES, type FlowStatus } from './flow-states.ts';
import { FlowPage, FlowView } from './flow-view.ts';
import { Flows } from './flows.ts';

export const FLOW_CODE = /^[a-z0-9_-]{1,64}$/;
export const CODE_HELP = 'Use 1 to 64 lower-case letters, digits, hyphens and underscores.';

export class FlowQuery extends PageQuery {
  @ApiOptional()
  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  code?: string;

  @ApiOptional()
  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  type?: string;

  @ApiOptional()
  @IsIn(FLOW_STATUSES)
  status?: FlowStatus;
}

/** GET /v1/flows: all versions, newest first. */
@Controller('v1/flows')
@ApiTags('Flows')
export class ListFlows {
  constructor(private readonly flows: Flows) {}

  @Get()
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'listFlows',
    summary: 'List flows',
    description: 'Newest first, every version; `type` and `code` narrow it.',
  })
  @ApiOkResponse({ type: FlowPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: FlowQuery): Promise<FlowPage> {
    const { limit, code, type, status } = query;
    const before = beforeId(query);
    const rows = await this.flows.list(tenant.id, { code, type, status, before, limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map((flow) => FlowView.of(flow)), next_cursor };
  }
}
