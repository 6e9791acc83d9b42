import { EMBED_PAGE } from '@constancia/contracts';
import { AppPage, OnPageHost, PageFiles, PathCredential, Public, sendPageFile } from '@constancia/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PERSON_PAGES } from '../capture/capture-pages.ts';
import { OfEmbed } from './embed-request.ts';
import type { EmbedBearer } from './embed-tokens.ts';

const FILES = new PageFiles(PERSON_PAGES.folders);
/** Fixes of the script reach every page within this time. */
const SCRIPT_CACHE = 'public, max-age=3600';

/** The page in the frame. Serving it changes nothing: a browser asks for it before it knows whether the frame is allowed. */
@Controller('v1/embed/sessions/:token')
@ApiExcludeController()
export class EmbedFrame {
  @Get(EMBED_PAGE)
  @PathCredential('token')
  @OnPageHost('person')
  @AppPage()
  async show(
    @OfEmbed() { allowedOrigins }: EmbedBearer,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendPageFile(FILES, 'embed.html', {
      request,
      reply,
      cacheControl: 'no-store',
      frameAncestors: allowedOrigins,
    });
  }
}

/** GET /embed/v1.js: what a tenant's page loads to hold the frame. */
@Controller('embed')
@ApiExcludeController()
export class EmbedScript {
  @Get('v1.js')
  @Public()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    await sendPageFile(FILES, 'embed/v1.js', { request, reply, cacheControl: SCRIPT_CACHE });
  }
}
