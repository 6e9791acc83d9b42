import { AuditLog, changedValues } from '@constancia/auth';
import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IdentityDatabase } from '../identity-database.ts';
import { IdentitySettings, identitySettings, IdentitySettingsBody, putIdentitySettings } from './identity-settings.ts';

/** GET and PUT /v1/identity-settings */
@Controller('v1/identity-settings')
@ApiTags('Subjects')
export class IdentitySettingsRoutes {
  constructor(private readonly database: IdentityDatabase) {}

  @Get()
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showIdentitySettings',
    summary: 'Show how long what is kept',
    description: 'In days, by kind of data; what is older is erased.',
  })
  @ApiOkResponse({ type: IdentitySettings })
  @ApiProblems()
  show(@CurrentTenant() tenant: Tenant): Promise<IdentitySettings> {
    return this.database.tenant(tenant.id, (tx) => identitySettings(tx, tenant.id));
  }

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putIdentitySettings',
    summary: 'Set how long what is kept',
    description:
      'Replaces all settings. Holds for what is there already, within minutes; legal_hold_days for later erasures. They are the part ' +
      '`identity` of `PUT /tenants/{id}/retention`, which has the periods of every module.',
  })
  @ApiOkResponse({ type: IdentitySettings })
  @ApiProblems('validation-error', 'bad-request')
  put(
    @CurrentPrincipal() principal: Principal,
    @Body() body: IdentitySettingsBody,
    @ClientIp() origin: string,
  ): Promise<IdentitySettings> {
    const { tenant } = principal;
    return this.database.tenant(tenant.id, async (tx) => {
      const before = await identitySettings(tx, tenant.id);
      await putIdentitySettings(tx, tenant.id, body);
      const settings = await identitySettings(tx, tenant.id);
      const object = { kind: 'identity_settings', id: null };
      const values = changedValues({ ...before }, { ...settings });
      await AuditLog.record(tx, { principal, action: 'identity_settings.changed', object, ...values, origin });
      return settings;
    });
  }
}
