import { AnyScope, ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformConfig } from '../config.ts';
import { ApiTenantId, requireOwnTenant } from './own-tenant.ts';
import { shownTenant } from './shown-tenant.ts';
import { TenantView } from './tenant-view.ts';

/** GET /tenants/{id}: the caller's own tenant. */
@Controller('tenants')
@ApiTags('Tenants')
export class ShowTenant {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
  ) {}

  @Get(':id')
  @AnyScope()
  @ApiOperation({
    operationId: 'showTenant',
    summary: 'Show the tenant, without secrets',
    description: 'With its plan, the owner’s address, its branding and how each valid API key begins.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: TenantView })
  @ApiProblems('not-found')
  handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<TenantView> {
    requireOwnTenant(tenant, id);
    return this.database.tenant(tenant.id, (tx) => shownTenant(tx, tenant.id, this.config.apiUrl));
  }
}
