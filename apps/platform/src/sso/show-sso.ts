import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SsoSettings } from './sso-settings.ts';
import { SsoView } from './sso-view.ts';

/** GET /v1/sso */
@Controller('v1/sso')
@ApiTags('Members')
export class ShowSso {
  constructor(private readonly settings: SsoSettings) {}

  @Get()
  @RequireScope('settings:write', 'audit:read')
  @ApiOperation({
    operationId: 'showSso',
    summary: 'Show the tenant’s own OpenID provider',
    description: 'Without the client secret. 404: the tenant has none.',
  })
  @ApiOkResponse({ type: SsoView })
  @ApiProblems('not-found')
  handle(@CurrentTenant() tenant: Tenant): Promise<SsoView> {
    return this.settings.of(tenant);
  }
}
