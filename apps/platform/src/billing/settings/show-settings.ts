import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BillingSettings, BillingSettingsView } from './billing-settings.ts';

/** GET /v1/billing/settings */
@Controller('v1/billing/settings')
@ApiTags('Billing')
export class ShowBillingSettings {
  constructor(private readonly settings: BillingSettings) {}

  @Get()
  @RequireScope('billing:read')
  @ApiOperation({ operationId: 'showBillingSettings', summary: 'Show when the tenant is warned of a low balance' })
  @ApiOkResponse({ type: BillingSettingsView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<BillingSettingsView> {
    return this.settings.of(tenant.id);
  }
}
