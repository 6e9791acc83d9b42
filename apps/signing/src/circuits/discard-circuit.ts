import { AuditLog } from '@constancia/auth';
import {
  ApiIfMatch,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  type Principal,
  requireMatch,
  RequireScope,
} from '@constancia/http';
import { Controller, Delete, Headers, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { auditedVersion, circuitObject } from './circuit-audit.ts';
import { Circuit } from './circuit.entity.ts';
import { CIRCUIT_ID_EXAMPLE } from './circuit-view.ts';
import { circuitEtag, Circuits } from './circuits.ts';

/** DELETE /v1/circuits/{id}: a draft that nobody wants to publish. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class DiscardCircuit {
  constructor(private readonly circuits: Circuits) {}

  @Delete(':id')
  @RequireScope('signing:write')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'discardCircuit',
    summary: 'Discard a draft',
    description: 'Only a draft: what was published stays. The next draft of the code may get its version number.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiIfMatch('circuit')
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems('not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @ClientIp() origin: string,
  ): Promise<void> {
    await this.circuits.change(principal.tenant.id, id, 'discard', async (draft, tx) => {
      requireMatch(ifMatch, circuitEtag(draft), 'draft');
      await tx.manager.delete(Circuit, { tenant_id: draft.tenant_id, id: draft.id });
      const entry = {
        action: 'circuit.discarded',
        object: circuitObject(draft),
        before: auditedVersion(draft),
      } as const;
      await AuditLog.record(tx, { principal, origin, ...entry });
    });
  }
}
