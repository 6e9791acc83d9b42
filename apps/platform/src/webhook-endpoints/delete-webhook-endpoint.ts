import { AuditLog } from '@constancia/auth';
import { EVENT_MODULES } from '@constancia/contracts';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { auditedEndpoint, endpointObject } from './audited-endpoint.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from './webhook-endpoint.ts';

/** DELETE /tenants/{id}/webhook-endpoints/{module}: what waits for it fails, its history stays. */
@Controller('tenants')
@ApiTags('Webhooks')
export class DeleteWebhookEndpoint {
  constructor(private readonly database: Database) {}

  @Delete(':id/webhook-endpoints/:module')
  @RequireScope('webhooks:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete the endpoint of a module',
    description:
      'Deliveries that wait for it fail (`endpoint_deleted`); they can be replayed once the module has an endpoint again.',
  })
  @ApiParam({ name: 'module', enum: EVENT_MODULES })
  @ApiNoContentResponse({ description: 'The endpoint is gone.' })
  @ApiProblems('not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('module') module: string,
    @ClientIp() origin: string,
  ): Promise<void> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    const removal = { principal, origin };
    const gone = await this.database.tenant(tenant.id, (tx) => removeEndpoint(tx, removal, ['module', module]));
    if (!gone) throw new NotFound();
  }
}

/** As many are ended with it; the sweep of the dispatcher ends what is left. */
const ENDED_AT_ONCE = 10_000;

/** Deletes an endpoint of the transaction's tenant and ends what waits for it. False when there is none. */
export async function removeEndpoint(
  tx: Tx,
  { principal, origin }: { principal: Principal; origin: string },
  [column, value]: ['id' | 'module', string | null],
): Promise<boolean> {
  const [gone] = await tx.query<WebhookEndpoint>(
    `delete from platform.webhook_endpoint where tenant_id = $1 and ${column} = $2 returning ${ENDPOINT_COLUMNS}`,
    [principal.tenant.id, value],
  );
  if (!gone) return false;
  await tx.query('select platform.fail_closed(array[$1::uuid], $2)', [gone.id, ENDED_AT_ONCE]);
  const entry = {
    action: 'webhook_endpoint.deleted',
    object: endpointObject(gone),
    before: auditedEndpoint(gone),
  } as const;
  await AuditLog.record(tx, { principal, ...entry, origin });
  return true;
}
