import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignInSettings, SignInSettingsView } from './sign-in-settings.ts';

/** GET /v1/sign-in-settings */
@Controller('v1/sign-in-settings')
@ApiTags('Members')
export class ShowSignInSettings {
  constructor(private readonly settings: SignInSettings) {}

  @Get()
  @RequireScope('settings:write', 'audit:read')
  @ApiOperation({ operationId: 'showSignInSettings', summary: 'Show what the tenant requires of a sign-in' })
  @ApiOkResponse({ type: SignInSettingsView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<SignInSettingsView> {
    return this.settings.of(tenant.id);
  }
}
