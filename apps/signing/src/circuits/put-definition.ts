import {
  ApiIfMatch,
  ApiProblems,
  BODY_PROBLEMS,
  CurrentTenant,
  ETAG_HEADER,
  requireMatch,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Body, Controller, Headers, Param, Put, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CIRCUIT_ID_EXAMPLE, CircuitView } from './circuit-view.ts';
import { circuitEtag, Circuits, updateCircuit } from './circuits.ts';
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
      'on the pages is looked at when the circuit is published. With If-Match, what somebody saved meanwhile is not replaced.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiIfMatch('circuit')
  @ApiBody({ type: DefinitionBody })
  @ApiOkResponse({ type: CircuitView, description: 'The draft with its definition.', headers: ETAG_HEADER })
  @ApiProblems(...BODY_PROBLEMS, 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CircuitView> {
    const definition = definitionOf(body);
    const circuit = await this.circuits.change(tenant.id, id, 'define', (draft, tx) => {
      requireMatch(ifMatch, circuitEtag(draft), 'draft', circuitEtag({ ...draft, ...definition }));
      return updateCircuit(tx, draft, definition);
    });
    void reply.header('ETag', circuitEtag(circuit));
    return CircuitView.of(circuit);
  }
}
