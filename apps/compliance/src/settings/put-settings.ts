import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ComplianceSettings, ComplianceSettingsBody, putSettings } from './compliance-settings.ts';

/** PUT /v1/compliance-settings */
@Controller('v1/compliance-settings')
@ApiTags('Settings')
export class PutSettings {
  constructor(private readonly database: Database) {}

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putComplianceSettings',
    summary: 'Set how the tenant works',
    description: 'Replaces all settings. A case that already waits for a second person goes on waiting.',
  })
  @ApiOkResponse({ type: ComplianceSettings })
  @ApiProblems('validation-error', 'bad-request')
  handle(@CurrentTenant() tenant: Tenant, @Body() body: ComplianceSettingsBody): Promise<ComplianceSettings> {
    return this.database.tenant(tenant.id, (tx) => putSettings(tx, tenant.id, body));
  }
}
