import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ComplianceSettings, shownSettings } from './compliance-settings.ts';

/** GET /v1/compliance-settings */
@Controller('v1/compliance-settings')
@ApiTags('Settings')
export class ShowSettings {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showComplianceSettings',
    summary: 'Show how the tenant works',
    description: 'Four eyes, and whether screened subjects are looked for again when lists change.',
  })
  @ApiOkResponse({ type: ComplianceSettings })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<ComplianceSettings> {
    return this.database.tenant(tenant.id, (tx) => shownSettings(tx, tenant.id));
  }
}
