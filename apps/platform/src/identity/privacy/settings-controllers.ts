import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
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
      'Replaces all settings. Holds for what is there already, within minutes; legal_hold_days for later erasures.',
  })
  @ApiOkResponse({ type: IdentitySettings })
  @ApiProblems('validation-error', 'bad-request')
  put(@CurrentTenant() tenant: Tenant, @Body() body: IdentitySettingsBody): Promise<IdentitySettings> {
    return this.database.tenant(tenant.id, (tx) => putIdentitySettings(tx, tenant.id, body));
  }
}
