import { EMBED_PAGE, shape } from '@constancia/contracts';
import {
  ApiPublicProblems,
  AppPage,
  OnPageHost,
  PageFiles,
  PathCredential,
  Public,
  sendPageFile,
} from '@constancia/http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PERSON_PAGES } from '../capture/capture-pages.ts';
import { LinkBearer } from '../capture/capture-request.ts';
import type { EmbedBearer } from './embed-tokens.ts';

const FILES = new PageFiles(PERSON_PAGES.folders);
const SCRIPT = 'text/javascript';
/** Browsers keep the script for an hour: after that every page has a corrected one. */
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
    @LinkBearer() { allowedOrigins }: EmbedBearer,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendPageFile(FILES, 'index.html', {
      request,
      reply,
      cacheControl: 'no-store',
      frameAncestors: allowedOrigins,
    });
  }
}

/** GET /embed/v1.js: what a tenant's page loads to hold the frame. */
@Controller('embed')
@ApiTags('Embedding')
export class EmbedScript {
  @Get('v1.js')
  @Public()
  @ApiOperation({
    operationId: 'loadEmbedScript',
    summary: 'Load the script that holds the frame',
    description:
      'Public. Defines the element <service-embed session="{embed_url}">. No dependencies, at most 8 KB gzipped.',
  })
  @ApiProduces(SCRIPT)
  @ApiOkResponse({
    description: 'The script.',
    content: { [SCRIPT]: { schema: { type: 'string', ...shape.text(32_768) } } },
  })
  @ApiPublicProblems('dependency-unavailable')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Pages of every origin load it: with `crossorigin`, or from a page that is isolated.
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    await sendPageFile(FILES, 'embed/v1.js', { request, reply, cacheControl: SCRIPT_CACHE });
  }
}
