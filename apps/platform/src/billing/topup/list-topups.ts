import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  beforeId,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  OrderedPageQuery,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { TOPUP_STATUSES, type TopupStatus } from './topup-state.ts';
import { TopupPage, TopupView } from './topup-view.ts';
import { Topups } from './topups.ts';

export class TopupsQuery extends OrderedPageQuery {
  @ApiOptional({ description: 'Created at this time or later: a date-time, or a date (UTC).', example: '2026-11-01' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Created before this time; a date (UTC) includes that day.', example: '2026-11-30' })
  @IsInstant()
  to?: string;

  @ApiOptional({ description: 'In this state only.' })
  @IsIn(TOPUP_STATUSES)
  status?: TopupStatus;

  @ApiOptional({ description: 'With this reference only.' })
  @IsString()
  @MaxLength(200)
  @Matches(new RegExp(shape.text(200).pattern))
  external_ref?: string;
}

/** GET /v1/billing/topups */
@Controller('v1/billing/topups')
@ApiTags('Billing')
export class ListTopups {
  constructor(private readonly topups: Topups) {}

  @Get()
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'listTopups',
    summary: 'List top-ups',
    description: 'Newest first, or oldest first with `order=asc`.',
  })
  @ApiOkResponse({ type: TopupPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: TopupsQuery): Promise<TopupPage> {
    const { limit, order, status, external_ref } = query;
    const rows = await this.topups.list(tenant.id, {
      limit: limit + 1,
      order,
      after: beforeId(query),
      status,
      external_ref,
      from: beginOf(query.from),
      to: endOf(query.to),
    });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map((row) => TopupView.of(row)), next_cursor };
  }
}
