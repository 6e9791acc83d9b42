import type { EmbedExchange } from '@constancia/contracts';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { ORIGIN_LENGTH } from '../../registered-origins/origins-body.ts';
import { LinkBearer } from '../capture/capture-request.ts';
import { EmbedRoute } from './embed-request.ts';
import { EmbedExchangedView, EmbedStateView } from './embed-session-view.ts';
import { EmbedSessions } from './embed-sessions.ts';
import type { EmbedBearer } from './embed-tokens.ts';

export class EmbedExchangeBody implements EmbedExchange {
  @ApiProperty({ example: 'https://app.example.com', description: 'Of the page that holds the frame.' })
  @IsString()
  @MaxLength(ORIGIN_LENGTH)
  parent_origin: string;
}

/** What the token of an embed session reaches by itself. */
@Controller('v1/embed/sessions/:token')
@ApiTags('Embedding')
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
