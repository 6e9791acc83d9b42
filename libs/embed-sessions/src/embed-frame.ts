import { EMBED_PAGE } from '@constancia/contracts';
import { AppPage, sendPageFile } from '@constancia/http';
import { Get, Injectable, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EmbedKinds } from './embed-kinds.ts';
import { LinkBearer } from './embed-request.ts';
import type { EmbedBearer } from './embed-tokens.ts';

/** The page in the frame. Serving it changes nothing: a browser asks for it before it knows whether the frame is allowed. */
@Injectable()
export class EmbedFrame {
  constructor(private readonly kinds: EmbedKinds) {}

  @Get(EMBED_PAGE)
  @AppPage()
  async show(
    @LinkBearer() { kind, allowedOrigins: frameAncestors }: EmbedBearer,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { files, page } = this.kinds.of(kind);
    await sendPageFile(files, page, { request, reply, cacheControl: 'no-store', frameAncestors });
  }
}
