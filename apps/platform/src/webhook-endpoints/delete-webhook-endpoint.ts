import { EVENT_MODULES } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';

/** DELETE /tenants/{id}/webhook-endpoints/{module}: what waits for it fails, its history stays. */
@Controller('tenants')
@ApiTags('Webhooks')
export class DeleteWebhookEndpoint {
  constructor(private readonly database: Database) {}

  @Delete(':id/webhook-endpoints/:module')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete the endpoint of a module',
    description: 'Deliveries that wait for it fail; they can be replayed once the module has an endpoint again.',
  })
  @ApiParam({ name: 'module', enum: EVENT_MODULES })
  @ApiNoContentResponse({ description: 'The endpoint is gone.' })
  @ApiProblems('not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('module') module: string,
  ): Promise<void> {
    requireOwnTenant(tenant, id);
    const gone = await this.database.tenant(tenant.id, (tx) =>
      tx.query('delete from platform.webhook_endpoint where tenant_id = $1 and module = $2 returning id', [
        tenant.id,
        module,
      ]),
    );
    if (gone.length === 0) throw new NotFound();
  }
}
