import { AuditLog } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditedKey, keyObject, lockKeys, requireKey } from './api-keys.ts';

/** DELETE /v1/api-keys/{id} */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class DeleteApiKey {
  constructor(private readonly database: Database) {}

  @Delete(':id')
  @RequireScope('keys:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description:
      'Every host refuses it within a second, also a former key in its grace. Whatever scopes it has: taking access away gives nobody ' +
      'more. The default key is rotated instead: 409. The owner gets a mail.',
  })
  @ApiNoContentResponse({ description: 'The key is gone.' })
  @ApiProblems('not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
  ): Promise<void> {
    const { tenant } = principal;
    await this.database.tenant(tenant.id, async (tx) => {
      await lockKeys(tx, tenant.id);
      const key = await requireKey(tx, tenant.id, uuidOf('key', id));
      if (key.is_default)
        throw new StateConflict('The default key is not deleted: POST /tenants/{id}/rotate-api-key replaces it.');
      await tx.query('select platform.delete_api_key($1, $2)', [tenant.id, key.key_id]);
      const entry = { action: 'api_key.deleted', object: keyObject(key.key_id), before: auditedKey(key) } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
    });
  }
}
