import { AuditLog } from '@constancia/auth';
import {
  ApiIfMatch,
  ApiProblems,
  ClientIp,
  type ConditionalHeaders,
  CurrentPrincipal,
  type Principal,
  requireMatch,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Delete, Headers, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { RuleRow } from './rule.entity.ts';
import { auditedVersion, validationObject } from './validation-audit.ts';
import { Validation } from './validation.entity.ts';
import { validationEtag } from './validation-view.ts';
import { lockDraft } from './validations.ts';

/** DELETE /v1/validations/{id}: a draft that nobody wants to publish. */
@Controller('v1/validations')
@ApiTags('Validations')
export class DiscardValidation {
  constructor(private readonly database: Database) {}

  @Delete(':id')
  @RequireScope('compliance:rules')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'discardValidation',
    summary: 'Discard a draft',
    description:
      'With its rules. Only a draft, also one that waits for a second person: what was published stays. The next draft of the code may get ' +
      'its version number.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiIfMatch('validation')
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems('validation-not-draft', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers() { 'if-match': ifMatch }: ConditionalHeaders,
    @ClientIp() origin: string,
  ): Promise<void> {
    const tenantId = principal.tenant.id;
    await this.database.tenant(tenantId, async (tx) => {
      const draft = await lockDraft(tx, tenantId, id);
      requireMatch(ifMatch, validationEtag(draft), 'draft');
      await tx.manager.delete(RuleRow, { tenant_id: tenantId, validation_id: draft.id });
      await tx.manager.delete(Validation, { tenant_id: tenantId, id: draft.id });
      const entry = {
        action: 'validation.discarded',
        object: validationObject(draft),
        before: auditedVersion(draft),
      } as const;
      await AuditLog.record(tx, { principal, origin, ...entry });
    });
  }
}
