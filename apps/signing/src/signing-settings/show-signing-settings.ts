import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SigningSettings } from './signing-settings.ts';
import { SigningSettingsView } from './signing-settings-view.ts';

/** GET /v1/signing-settings */
@Controller('v1/signing-settings')
@ApiTags('Signing keys')
export class ShowSigningSettings {
  constructor(private readonly settings: SigningSettings) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'showSigningSettings',
    summary: 'Show the key that documents are sealed with',
    description: 'Your own key with its certificates, if you set one, and whether it can be used.',
  })
  @ApiOkResponse({ type: SigningSettingsView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<SigningSettingsView> {
    return this.settings.show(tenant.id);
  }
}
