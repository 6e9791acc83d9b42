import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SsoBody } from './sso-body.ts';
import { SsoSettings } from './sso-settings.ts';
import { SsoView } from './sso-view.ts';

/** PUT /v1/sso */
@Controller('v1/sso')
@ApiTags('Members')
export class PutSso {
  constructor(private readonly settings: SsoSettings) {}

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putSso',
    summary: 'Set the tenant’s own OpenID provider',
    description:
      'Replaces all settings of single sign-on. The issuer is asked first: an answer that does not do is 422, with a code in `errors`. The ' +
      'provider can sign in as any member with an address in `domains`, so only an owner who is signed in changes it; an API key gets 403. ' +
      'Another issuer or client ends the sessions that the former one opened.',
  })
  @ApiOkResponse({ type: SsoView })
  @ApiProblems('validation-error', 'forbidden', 'state-conflict', 'unprocessable-entity')
  handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: SsoBody,
    @ClientIp() origin: string,
  ): Promise<SsoView> {
    return this.settings.put(principal, body, origin);
  }
}
