import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { addClone, Circuits } from './circuits.ts';

/** POST /v1/circuits/{id}/clone: the next version of the same code, as a draft with the same PDF and definition. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class CloneCircuit {
  constructor(private readonly circuits: Circuits) {}

  @Post(':id/clone')
  @RequireScope('signing:write')
  @ApiOperation({
    operationId: 'cloneCircuit',
    summary: 'Copy a circuit into a draft',
    description: 'The draft is the next version of the same code, whatever version it is copied from.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiCreatedResponse({ type: CircuitView, description: 'The draft.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<CircuitView> {
    const draft = await this.circuits.change(tenant.id, id, 'clone', (circuit, tx) => addClone(tx, circuit));
    return CircuitView.of(draft);
  }
}
