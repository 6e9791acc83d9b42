import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { KeyView } from './api-key-view.ts';
import { requireKey } from './api-keys.ts';

/** GET /v1/api-keys/{id} */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class ShowApiKey {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @RequireScope('keys:write', 'audit:read')
  @ApiOperation({
    operationId: 'showApiKey',
    summary: 'Show an API key',
    description: 'With its last use, and the requests that were refused because they came from outside its networks.',
  })
  @ApiOkResponse({ type: KeyView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<KeyView> {
    return KeyView.of(await this.database.tenant(tenant.id, (tx) => requireKey(tx, tenant.id, uuidOf('key', id))));
  }
}
