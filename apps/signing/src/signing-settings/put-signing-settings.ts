import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope } from '@constancia/http';
import { Body, Controller, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SigningSettings } from './signing-settings.ts';
import { SigningSettingsBody, SigningSettingsView } from './signing-settings-view.ts';

/** PUT /v1/signing-settings */
@Controller('v1/signing-settings')
@ApiTags('Signing keys')
export class PutSigningSettings {
  constructor(private readonly settings: SigningSettings) {}

  @Put()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putSigningSettings',
    summary: 'Seal documents with your own key and certificate',
    description:
      'Documents are sealed with this key from the next seal on; those sealed before stay valid, and the former key stays in ' +
      '`GET /v1/signing-keys`. The alias, the chain and a trial signature are checked first: what is refused changes nothing. While the key ' +
      "cannot be used later, documents wait, and `problem` says why: the platform's key does not take its place. The same request again " +
      'changes nothing, and lets documents that wait be tried at once.',
  })
  @ApiOkResponse({ type: SigningSettingsView })
  @ApiProblems('validation-error', 'dependency-unavailable')
  handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: SigningSettingsBody,
    @ClientIp() origin: string,
  ): Promise<SigningSettingsView> {
    return this.settings.put(principal, body, origin);
  }
}
