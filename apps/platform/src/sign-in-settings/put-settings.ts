import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignInSettings, SignInSettingsBody, SignInSettingsView } from './sign-in-settings.ts';

/** PUT /v1/sign-in-settings */
@Controller('v1/sign-in-settings')
@ApiTags('Members')
export class PutSignInSettings {
  constructor(private readonly settings: SignInSettings) {}

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putSignInSettings',
    summary: 'Set what the tenant requires of a sign-in',
    description:
      'Console sessions that were opened with another method than the required one end within a second. Only an owner who is signed in ' +
      'changes this, with the method that they require: else 409. An API key gets 403.',
  })
  @ApiOkResponse({ type: SignInSettingsView })
  @ApiProblems('validation-error', 'forbidden', 'state-conflict')
  handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: SignInSettingsBody,
    @ClientIp() origin: string,
  ): Promise<SignInSettingsView> {
    return this.settings.put(principal, body, origin);
  }
}
