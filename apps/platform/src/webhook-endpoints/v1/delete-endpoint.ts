import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { removeEndpoint } from '../delete-webhook-endpoint.ts';

/** DELETE /v1/webhook-endpoints/{id}. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class DeleteEndpoint {
  constructor(private readonly database: Database) {}

  @Delete(':id')
  @RequireScope('webhooks:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteWebhookEndpointById',
    summary: 'Delete an endpoint',
    description: 'Of either kind. Deliveries that wait for it fail (`endpoint_deleted`); their history stays.',
  })
  @ApiNoContentResponse({ description: 'The endpoint is gone.' })
  @ApiProblems('not-found')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @ClientIp() origin: string,
  ): Promise<void> {
    const uuid = uuidOf('whe', id);
    const removal = { principal, origin };
    const gone = await this.database.tenant(principal.tenant.id, (tx) => removeEndpoint(tx, removal, ['id', uuid]));
    if (!gone) throw new NotFound();
  }
}
