import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { Circuits } from './circuits.ts';

/** GET /v1/circuits/{id} */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class GetCircuit {
  constructor(private readonly circuits: Circuits) {}

  @Get(':id')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getCircuit',
    summary: 'Show a circuit',
    description: 'One version, with its signers, its fields and what was found in its base PDF.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiOkResponse({ type: CircuitView, description: 'The circuit.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<CircuitView> {
    return CircuitView.of(await this.circuits.find(tenant.id, id));
  }
}
