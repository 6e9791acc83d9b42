import { Holder, isSameOrigin } from '@constancia/http';
import { Forbidden, NotFound } from '@constancia/problem-json';
import type { CanActivate, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';

/** Throws Forbidden unless the request comes from a page of the host itself. */
export class OwnPageOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isSameOrigin(context.switchToHttp().getRequest<FastifyRequest>())) return true;
    throw new Forbidden('This request must come from a page of this host.');
  }
}

/** A token that is unknown, expired or ended: the same 404 on every route. */
class KnownBearer implements PipeTransform<CaptureBearer | undefined, CaptureBearer> {
  transform(bearer: CaptureBearer | undefined): CaptureBearer {
    if (bearer === undefined) throw new NotFound('There is no session behind this link.');
    return bearer;
  }
}

/** The holder of the token in the link: the bearer token of a capture page, or the token in the path of an embed session. Throws NotFound. */
export const LinkBearer = (): ParameterDecorator => Holder(new KnownBearer());
