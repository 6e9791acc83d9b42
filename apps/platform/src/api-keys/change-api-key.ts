import { AuditLog, changedValues } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyChangesBody } from './api-key-body.ts';
import { KeyView } from './api-key-view.ts';
import { auditedKey, keyObject, type KeyRow, lockKeys, requireGivable, requireKey, requireNoMoreThan } from './api-keys.ts'; // prettier-ignore
import { expiryOf } from './expiry.ts';

/** PATCH /v1/api-keys/{id} */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class ChangeApiKey {
  constructor(private readonly database: Database) {}

  @Patch(':id')
  @RequireScope('keys:write')
  @ApiOperation({
    operationId: 'changeApiKey',
    summary: 'Change an API key',
    description:
      'What is left out stays. Every host follows within a second. A key that has a scope which you do not hold is not yours to change: ' +
      '403. Of the default key only the networks can be changed: 409. The owner gets a mail when anything but the name changes.',
  })
  @ApiOkResponse({ type: KeyView })
  @ApiProblems('validation-error', 'forbidden', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: ApiKeyChangesBody,
    @ClientIp() origin: string,
  ): Promise<KeyView> {
    const { tenant } = principal;
    const keyId = uuidOf('key', id);
    const changes = changesOf(body);
    const changed = await this.database.tenant(tenant.id, async (tx) => {
      await lockKeys(tx, tenant.id);
      const before = await requireKey(tx, tenant.id, keyId);
      requireNoMoreThan(principal, before);
      requireGivable(principal, body.scopes ?? []);
      if (before.is_default && Object.keys(changes).some((member) => member !== 'allowed_cidrs'))
        throw new StateConflict(
          'The default key keeps its name, every scope and no end: create another key with limits.',
        );
      const { name, scopes, allowed_cidrs, expires_at } = { ...before, ...changes };
      const values = [name, scopes, allowed_cidrs, expires_at];
      await tx.query('select platform.change_api_key($1, $2, $3, $4, $5, $6)', [tenant.id, before.key_id, ...values]);
      const after = await requireKey(tx, tenant.id, keyId);
      const entry = { action: 'api_key.changed', object: keyObject(after.key_id) } as const;
      await AuditLog.record(tx, {
        principal,
        ...entry,
        ...changedValues(auditedKey(before), auditedKey(after)),
        origin,
      });
      return after;
    });
    return KeyView.of(changed);
  }
}

/** The members that were given. */
function changesOf({ name, scopes, allowed_cidrs, expires_at }: ApiKeyChangesBody): Partial<KeyRow> {
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(allowed_cidrs !== undefined && { allowed_cidrs }),
    ...(expires_at !== undefined && { expires_at: expiryOf(expires_at) }),
  };
}
