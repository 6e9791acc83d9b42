import { ApiProblems, CurrentTenant, ETAG_HEADER, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { circuitEtag, Circuits } from './circuits.ts';

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
  @ApiOkResponse({ type: CircuitView, description: 'The circuit.', headers: ETAG_HEADER })
  @ApiProblems('not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CircuitView> {
    const circuit = await this.circuits.find(tenant.id, id);
    void reply.header('ETag', circuitEtag(circuit));
    return CircuitView.of(circuit);
  }
}
