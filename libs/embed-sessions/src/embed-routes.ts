import type { EmbedExchange } from '@constancia/contracts';
import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  ORIGIN_LENGTH,
  pathUuid,
  type Principal,
  type Tenant,
  WhileClosing,
} from '@constancia/http';
import { Body, Delete, Get, HttpCode, Injectable, Param, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { EmbedRoute, LinkBearer } from './embed-request.ts';
import { EmbedSessionBody } from './embed-session-body.ts';
import { CreatedEmbedSessionView, EmbedExchangedView, EmbedSessionView, EmbedStateView } from './embed-session-view.ts';
import { EmbedSessions } from './embed-sessions.ts';
import type { EmbedBearer } from './embed-tokens.ts';

export class EmbedExchangeBody implements EmbedExchange {
  @ApiProperty({ example: 'https://app.example.com', description: 'Of the page that holds the frame.' })
  @IsString()
  @MaxLength(ORIGIN_LENGTH)
  parent_origin: string;
}

/** What the tenant changes: POST /v1/embed/sessions, DELETE /v1/embed/sessions/{id}. */
@ApiTags('Embedding')
@Injectable()
export class ManageEmbedSessions {
  constructor(private readonly sessions: EmbedSessions) {}

  @Post()
  @ApiOperation({
    operationId: 'createEmbedSession',
    summary: 'Create an embed session',
    description:
      'A page of ours, to be shown in a frame of your page: <service-embed session="{embed_url}">, with {base_url}/embed/v1.js. The first ' +
      'frame that opens it has it; for another frame, or after a reload, create another embed session.',
  })
  @ApiCreatedResponse({ type: CreatedEmbedSessionView })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'state-conflict')
  async create(@CurrentTenant() tenant: Tenant, @Body() body: EmbedSessionBody): Promise<CreatedEmbedSessionView> {
    const { token, embed_url, ...found } = await this.sessions.create(tenant, body);
    return { ...EmbedSessionView.of(found), token, embed_url };
  }

  @Delete(':id')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeEmbedSession',
    summary: 'Revoke an embed session',
    description:
      'Its frame loses it with its next request. The flow session or the request goes on, and can be embedded again; of a signer, the mailed ' +
      'link goes on working.',
  })
  @ApiNoContentResponse({ description: 'The token no longer works.' })
  @ApiProblems('not-found')
  revoke(@CurrentPrincipal() principal: Principal, @Param('id') id: string, @ClientIp() origin: string): Promise<void> {
    return this.sessions.revoke(principal, pathUuid('ems', id), origin);
  }
}

/** GET /v1/embed/sessions/{id} */
@ApiTags('Embedding')
@Injectable()
export class ShowEmbedSession {
  constructor(private readonly sessions: EmbedSessions) {}

  @Get(':id')
  @ApiOperation({
    operationId: 'showEmbedSession',
    summary: 'Show an embed session',
    description:
      'How far it is. The outcome is that of the flow session, the envelope or the request, and comes by webhook.',
  })
  @ApiOkResponse({ type: EmbedSessionView })
  @ApiProblems('not-found')
  async show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EmbedSessionView> {
    return EmbedSessionView.of(await this.sessions.find(tenant.id, pathUuid('ems', id)));
  }
}

/** What the token of an embed session reaches by itself. */
@ApiTags('Embedding')
@Injectable()
export class OpenEmbedSession {
  constructor(private readonly sessions: EmbedSessions) {}

  @Get('state')
  @EmbedRoute()
  @ApiOperation({
    operationId: 'showEmbedState',
    summary: 'Show how an embed session stands, by its token',
    description: 'Changes nothing.',
  })
  @ApiOkResponse({ type: EmbedStateView })
  async state(@LinkBearer() { tenantId, embedId }: EmbedBearer): Promise<EmbedStateView> {
    return EmbedStateView.of(await this.sessions.find(tenantId, embedId));
  }

  @Post('exchange')
  @HttpCode(200)
  @EmbedRoute('validation-error', 'bad-request', 'state-conflict')
  @ApiOperation({
    operationId: 'exchangeEmbedToken',
    summary: 'Open an embed session in a frame',
    description:
      'Our framed page calls it. Binds the session to this frame: the second exchange is 409. The access token works for ten minutes ' +
      'after its last use.',
  })
  @ApiOkResponse({ type: EmbedExchangedView })
  exchange(
    @LinkBearer() bearer: EmbedBearer,
    @Body() { parent_origin }: EmbedExchangeBody,
  ): Promise<EmbedExchangedView> {
    return this.sessions.exchange(bearer, parent_origin);
  }
}
