import { EMBED_PAGE } from '@constancia/contracts';
import { AppPage, sendPageFile } from '@constancia/http';
import { Get, Injectable, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LinkBearer } from './embed-request.ts';
import { EmbedTargets } from './embed-targets.ts';
import type { EmbedBearer } from './embed-tokens.ts';

/** The page in the frame. Serving it changes nothing: a browser asks for it before it knows whether the frame is allowed. */
@Injectable()
export class EmbedFrame {
  constructor(private readonly targets: EmbedTargets) {}

  @Get(EMBED_PAGE)
  @AppPage()
  async show(
    @LinkBearer() { allowedOrigins: frameAncestors }: EmbedBearer,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { files } = this.targets;
    await sendPageFile(files, 'index.html', { request, reply, cacheControl: 'no-store', frameAncestors });
  }
}
