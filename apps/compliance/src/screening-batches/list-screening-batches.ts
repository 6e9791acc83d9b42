import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  IsInstant,
  OrderedPageQuery,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { periodOf } from '../period.ts';
import { ScreeningBatchPage, ScreeningBatchView } from './screening-batch-view.ts';
import { BATCH_STATUSES, type BatchStatus } from './screening-batch.entity.ts';
import { ScreeningBatches } from './screening-batches.ts';

export class ListScreeningBatchesQuery extends OrderedPageQuery {
  @ApiOptional({ enumName: 'ScreeningBatchStatus' })
  @IsIn(BATCH_STATUSES)
  status?: BatchStatus;

  @ApiOptional({ description: 'Only batches with exactly this reference.' })
  @IsString()
  @Length(1, 200)
  external_ref?: string;

  @ApiOptional({
    description: 'Only batches created from here on: a day in America/Bogota, or a date-time.',
    example: '2026-11-01',
  })
  @IsInstant()
  from?: string;

  @ApiOptional({
    description: 'Only batches created up to here: the end of a day in America/Bogota, or a date-time (exclusive).',
    example: '2026-11-30',
  })
  @IsInstant()
  to?: string;
}

/** GET /v1/screening-batches */
@Controller('v1/screening-batches')
@ApiTags('Screenings')
export class ListScreeningBatches {
  constructor(private readonly batches: ScreeningBatches) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({ operationId: 'listScreeningBatches', summary: 'List screening batches, newest first' })
  @ApiOkResponse({ type: ScreeningBatchPage, description: 'A page of batches.' })
  @ApiProblems('validation-error')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Query() query: ListScreeningBatchesQuery,
  ): Promise<ScreeningBatchPage> {
    const rows = await this.batches.list(tenant.id, {
      status: query.status,
      externalRef: query.external_ref,
      created: periodOf(query, '/query/to'),
      afterId: beforeId(query),
      order: query.order,
      limit: query.limit + 1,
    });
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((batch) => ScreeningBatchView.of(batch)), next_cursor };
  }
}
