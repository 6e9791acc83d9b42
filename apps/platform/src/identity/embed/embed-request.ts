import { AlsoOnPageHost, ApiPublicProblems, PathCredential } from '@constancia/http';
import { EMBED_TOKEN, type ProblemSlug } from '@constancia/contracts';
import { Unauthorized } from '@constancia/problem-json';
import { applyDecorators, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { EmbedBearer } from './embed-tokens.ts';

/** Throws Unauthorized unless the request has the access token of the frame that opened the session. */
export class FrameOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { holder } = context.switchToHttp().getRequest<FastifyRequest>().constancia;
    // A wrong embed token is answered by the handler, with its 404.
    if (holder === undefined || (holder as EmbedBearer).hasAccess) return true;
    throw new Unauthorized('This needs the access token of the frame that opened the embed session.');
  }
}

/** A public route of an embed session, on the API's host and on that of the framed pages. In addition to `slugs` it answers 404. */
export function EmbedRoute(...slugs: ProblemSlug[]): MethodDecorator {
  return applyDecorators(
    PathCredential('token'),
    AlsoOnPageHost('person'),
    ApiParam({
      name: 'token',
      description: 'The token of the embed session. Unknown, expired and revoked ones get the same 404.',
      schema: { type: 'string', pattern: EMBED_TOKEN.source },
    }),
    ApiPublicProblems('not-found', ...slugs),
  );
}
