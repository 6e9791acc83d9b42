import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  ExternalRef,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Matches } from 'class-validator';
import { CIRCUIT_STATUSES, type CircuitStatus } from './circuit.entity.ts';
import { CODE } from '../code.ts';
import { CircuitPage, CircuitView } from './circuit-view.ts';
import { Circuits } from './circuits.ts';

export class ListCircuitsQuery extends PageQuery {
  @ApiOptional()
  @IsIn(CIRCUIT_STATUSES)
  status?: CircuitStatus;

  @ApiOptional({ description: 'Only versions of this code.' })
  @IsString()
  @Matches(CODE)
  code?: string;

  @ExternalRef('Only circuits with this reference.')
  external_ref?: string;
}

/** GET /v1/circuits: newest first. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class ListCircuits {
  constructor(private readonly circuits: Circuits) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'listCircuits',
    summary: 'List circuits, newest first',
    description: 'Every version; `code`, `status` and `external_ref` narrow it.',
  })
  @ApiOkResponse({ type: CircuitPage, description: 'A page of circuits.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListCircuitsQuery): Promise<CircuitPage> {
    const { code, status, external_ref: externalRef, limit } = query;
    const before = beforeId(query);
    const rows = await this.circuits.list(tenant.id, { code, status, externalRef, before, limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, (row) => [row.id]);
    return { data: data.map((row) => CircuitView.of(row)), next_cursor };
  }
}
