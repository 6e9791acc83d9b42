import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OriginsBody, OriginsView } from '../registered-origins/origins-body.ts';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';
import { EmbedOrigins } from './embed-origins.ts';

export class EmbedOriginsBody extends OriginsBody {}
export class EmbedOriginsView extends OriginsView {}

/** /tenants/{id}/embed-origins: whose pages may show our pages in a frame. */
@Controller('tenants')
@ApiTags('Embedding')
export class PutEmbedOrigins {
  constructor(private readonly origins: EmbedOrigins) {}

  @Get(':id/embed-origins')
  @RequireScope('identity:read')
  @ApiTenantId()
  @ApiOperation({
    operationId: 'showEmbedOrigins',
    summary: 'Show which origins may embed',
    description: 'The origins that `allowed_origins` of an embed session may name.',
  })
  @ApiOkResponse({ type: EmbedOriginsView })
  @ApiProblems('not-found')
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EmbedOriginsView> {
    requireOwnTenant(tenant, id);
    return { origins: await this.origins.list(tenant.id) };
  }

  @Put(':id/embed-origins')
  @RequireScope('settings:write')
  @ApiTenantId()
  @ApiOperation({
    operationId: 'putEmbedOrigins',
    summary: 'Register which origins may embed',
    description:
      'Replaces all. Exact origins of https, without wildcards; a sandbox also takes http://localhost with a port. Embed sessions ' +
      'that exist keep the origins that they were created with: revoke those that may no longer be shown.',
  })
  @ApiOkResponse({ type: EmbedOriginsView })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'payload-too-large', 'unsupported-media-type')
  async put(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { origins }: EmbedOriginsBody,
    @ClientIp() origin: string,
  ): Promise<EmbedOriginsView> {
    requireOwnTenant(principal.tenant, id);
    return { origins: await this.origins.put(principal, origins, origin) };
  }
}
