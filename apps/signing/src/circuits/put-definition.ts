import { ApiProblems, BODY_PROBLEMS, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { Circuits, updateCircuit } from './circuits.ts';
import { definitionOf } from './definition.ts';
import { DefinitionBody } from './definition-body.ts';

/** PUT /v1/circuits/{id}/definition: who signs, how each proves who they are, and what each fills in. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class PutDefinition {
  constructor(private readonly circuits: Circuits) {}

  @Put(':id/definition')
  @RequireScope('signing:write')
  @ApiOperation({
    operationId: 'putCircuitDefinition',
    summary: 'Replace the definition of a draft',
    description:
      'Roles and keys are unique, and every field belongs to a role. Everything that is wrong is reported at once. Whether the boxes lie ' +
      'on the pages is looked at when the circuit is published.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiBody({ type: DefinitionBody })
  @ApiOkResponse({ type: CircuitView, description: 'The draft with its definition.' })
  @ApiProblems(...BODY_PROBLEMS, 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Body() body: Record<string, unknown>,
  ): Promise<CircuitView> {
    const definition = definitionOf(body);
    const circuit = await this.circuits.change(tenant.id, id, 'define', (draft, tx) =>
      updateCircuit(tx, draft, definition),
    );
    return CircuitView.of(circuit);
  }
}
