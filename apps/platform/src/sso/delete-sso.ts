import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SsoSettings } from './sso-settings.ts';

/** DELETE /v1/sso */
@Controller('v1/sso')
@ApiTags('Members')
export class DeleteSso {
  constructor(private readonly settings: SsoSettings) {}

  @Delete()
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteSso',
    summary: 'Remove the tenant’s own OpenID provider',
    description:
      'Ends the sessions that it opened, within a second, and the rule that members have to use it. They stay members and sign in with a ' +
      'mailed code; those who joined through the provider alone first open a link (`POST /v1/members/{id}/resend`). Only an owner who is ' +
      'signed in may do so.',
  })
  @ApiNoContentResponse({ description: 'The tenant has no single sign-on.' })
  @ApiProblems('forbidden', 'not-found')
  async handle(@CurrentPrincipal() principal: Principal, @ClientIp() origin: string): Promise<void> {
    await this.settings.remove(principal, origin);
  }
}
