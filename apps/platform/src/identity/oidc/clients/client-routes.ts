import {
  ApiProblems,
  beforeId,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  page,
  PageQuery,
  pathUuid,
  type Principal,
  RequireScope,
  type Tenant,
  WhileClosing,
} from '@constancia/http';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { DEFAULT_GRACE_SECONDS, RotationBody } from '../../../rotation-body.ts';
import { NewOidcClientBody, OidcClientChangesBody } from './client-body.ts';
import { NewOidcClientView, OidcClientPage, OidcClientSecretView, OidcClientView } from './client-view.ts';
import { MAX_CLIENTS, OidcClients } from './oidc-clients.ts';

/** /v1/oidc/clients: the relying parties of a tenant. */
@Controller('v1/oidc/clients')
@ApiTags('OpenID')
export class OidcClientRoutes {
  constructor(private readonly clients: OidcClients) {}

  @Post()
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'createOidcClient',
    summary: 'Register a client of the OpenID provider',
    description: `An application that signs persons in with their wallet. Up to ${MAX_CLIENTS} per tenant. A secret is shown in this answer only.`,
  })
  @ApiCreatedResponse({ type: NewOidcClientView })
  @ApiProblems('validation-error', 'duplicate-key', 'state-conflict')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: NewOidcClientBody,
    @ClientIp() origin: string,
  ): Promise<NewOidcClientView> {
    const { client, secret } = await this.clients.create({ principal, origin }, body);
    return { ...OidcClientView.of(client), ...(secret !== undefined && { client_secret: secret }) };
  }

  @Get()
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'listOidcClients',
    summary: 'List clients of the OpenID provider',
    description: 'Newest first.',
  })
  @ApiOkResponse({ type: OidcClientPage })
  @ApiProblems('validation-error')
  async list(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<OidcClientPage> {
    const { limit } = query;
    const rows = await this.clients.list(tenant.id, { before: beforeId(query), limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map((row) => OidcClientView.of(row)), next_cursor };
  }

  @Get(':id')
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'showOidcClient',
    summary: 'Show a client of the OpenID provider',
    description: 'Without its secret.',
  })
  @ApiOkResponse({ type: OidcClientView })
  @ApiProblems('not-found')
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<OidcClientView> {
    return OidcClientView.of(await this.clients.find(tenant.id, pathUuid('oic', id)));
  }

  @Patch(':id')
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'changeOidcClient',
    summary: 'Change a client of the OpenID provider',
    description: 'What is left out stays; type and method stay for good. Holds for the next request of the client.',
  })
  @ApiOkResponse({ type: OidcClientView })
  @ApiProblems('validation-error', 'not-found', 'duplicate-key')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: OidcClientChangesBody,
    @ClientIp() origin: string,
  ): Promise<OidcClientView> {
    return OidcClientView.of(await this.clients.change({ principal, origin }, pathUuid('oic', id), body));
  }

  @Delete(':id')
  @RequireScope('settings:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteOidcClient',
    summary: 'Delete a client of the OpenID provider',
    description: 'Its codes and tokens stop working at once.',
  })
  @ApiNoContentResponse({ description: 'The client is gone.' })
  @ApiProblems('not-found')
  remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string, @ClientIp() origin: string): Promise<void> {
    return this.clients.remove({ principal, origin }, pathUuid('oic', id));
  }

  @Post(':id/rotate-secret')
  @RequireScope('settings:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateOidcClientSecret',
    summary: 'Replace the secret of a client',
    description:
      'The new secret is shown in this answer only. During the grace both count; one former secret does. A client without a secret: 409.',
  })
  @ApiBody({ type: RotationBody, required: false })
  @ApiOkResponse({ type: OidcClientSecretView })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { grace_seconds: grace = DEFAULT_GRACE_SECONDS }: RotationBody,
    @ClientIp() origin: string,
  ): Promise<OidcClientSecretView> {
    const change = { principal, origin };
    const { secret, rotatedAt, expiresAt } = await this.clients.rotateSecret(change, pathUuid('oic', id), grace);
    return {
      client_secret: secret,
      rotated_at: rotatedAt.toISOString(),
      previous_secret_expires_at: expiresAt.toISOString(),
    };
  }
}
