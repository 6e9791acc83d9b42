import { AnyScope, ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SigningConfig } from '../config.ts';
import { SigningKeyList, SigningKeyView } from './signing-key-view.ts';
import { SigningKeys } from './signing-keys.ts';

/** GET /v1/signing-keys: what an auditor needs to verify documents without us. */
@Controller('v1/signing-keys')
@ApiTags('Signing keys')
export class ListSigningKeys {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: SigningConfig,
  ) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listSigningKeys',
    summary: 'List the keys that documents were signed with',
    description:
      "Newest first: the platform's, and those that you set (`PUT /v1/signing-settings`), never another tenant's. Keys and certificates can also be fetched without an API key, at `public_key_url` and `certificate_url`.",
  })
  @ApiOkResponse({ type: SigningKeyList, description: 'The keys.' })
  @ApiProblems()
  async handle(@CurrentTenant() tenant: Tenant): Promise<SigningKeyList> {
    const keys = await this.keys.list(tenant.id);
    return { data: keys.map((key) => SigningKeyView.of(key, this.config.signingUrl)) };
  }
}
