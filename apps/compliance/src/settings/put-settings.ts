import { AuditLog, changedValues } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ComplianceSettings, ComplianceSettingsBody, putSettings, shownSettings } from './compliance-settings.ts';

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
    description:
      'Replaces all settings but `retention_days`, which stays when it is left out. A case that already waits for a second person goes on waiting.',
  })
  @ApiOkResponse({ type: ComplianceSettings })
  @ApiProblems('validation-error', 'bad-request')
  handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: ComplianceSettingsBody,
    @ClientIp() origin: string,
  ): Promise<ComplianceSettings> {
    const { tenant } = principal;
    return this.database.tenant(tenant.id, async (tx) => {
      const before = await shownSettings(tx, tenant.id);
      await putSettings(tx, tenant.id, body);
      const settings = await shownSettings(tx, tenant.id);
      const object = { kind: 'compliance_settings', id: null };
      const values = changedValues({ ...before }, { ...settings });
      await AuditLog.record(tx, { principal, action: 'compliance_settings.changed', object, ...values, origin });
      return settings;
    });
  }
}
