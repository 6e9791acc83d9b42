import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SigningSettings } from './signing-settings.ts';

/** DELETE /v1/signing-settings */
@Controller('v1/signing-settings')
@ApiTags('Signing keys')
export class DeleteSigningSettings {
  constructor(private readonly settings: SigningSettings) {}

  @Delete()
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteSigningSettings',
    summary: "Seal documents with the platform's key again",
    description:
      'Also those that wait for your key. What your key sealed stays valid, and the key stays in `GET /v1/signing-keys`.',
  })
  @ApiNoContentResponse({ description: "The platform's key seals your documents." })
  @ApiProblems()
  async handle(@CurrentPrincipal() principal: Principal, @ClientIp() origin: string): Promise<void> {
    await this.settings.remove(principal, origin);
  }
}
