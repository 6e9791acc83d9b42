import { EMBED_TOKEN, type ProblemSlug } from '@constancia/contracts';
import { ApiPublicProblems, type CredentialHolder, Holder, PathCredential } from '@constancia/http';
import { NotFound, Unauthorized } from '@constancia/problem-json';
import { applyDecorators, type CanActivate, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { EMBED_CREDENTIAL, type EmbedBearer } from './embed-tokens.ts';

/** Where everything is that an embed token reaches. */
export const EMBED_PATH = 'v1/embed/sessions/:token';

/** Throws Unauthorized unless the request has the access token of the frame that opened the session. */
export class FrameOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { holder } = context.switchToHttp().getRequest<FastifyRequest>().constancia;
    // A wrong embed token is answered by the handler, with its 404.
    if (holder === undefined || (holder as EmbedBearer).hasAccess) return true;
    throw new Unauthorized('This needs the access token of the frame that opened the embed session.');
  }
}

/** A token that is unknown, expired or ended: the same 404 on every route. */
class KnownBearer implements PipeTransform<CredentialHolder | undefined, CredentialHolder> {
  transform(bearer: CredentialHolder | undefined): CredentialHolder {
    if (bearer === undefined) throw new NotFound('There is nothing behind this link: it is unknown, used or expired.');
    return bearer;
  }
}

/** The holder of the token in the link: the token in the path of an embed session, or the bearer token of a capture page. Throws NotFound. */
export const LinkBearer = (): ParameterDecorator => Holder(new KnownBearer());

/** A public route of an embed token. In addition to `slugs` it answers 404. */
export function EmbedRoute(...slugs: ProblemSlug[]): MethodDecorator {
  return applyDecorators(
    PathCredential('token', EMBED_CREDENTIAL),
    ApiParam({
      name: 'token',
      description: 'The token of the embed session. Unknown, expired and revoked ones get the same 404.',
      schema: { type: 'string', pattern: EMBED_TOKEN.source },
    }),
    ApiPublicProblems('not-found', ...slugs),
  );
}
