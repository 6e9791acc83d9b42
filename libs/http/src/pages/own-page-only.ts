import { Forbidden } from '@constancia/problem-json';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isSameOrigin } from './same-origin.ts';

/** Throws Forbidden unless the request comes from a page of the host itself. */
export class OwnPageOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isSameOrigin(context.switchToHttp().getRequest<FastifyRequest>())) return true;
    throw new Forbidden('This request must come from a page of this host.');
  }
}
