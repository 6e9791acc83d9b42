import { NotFound } from '@constancia/problem-json';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FoundSigner } from './found-signer.ts';

/** Who asks, as far as it is evidence. */
export interface Visitor {
  ip: string;
  userAgent?: string;
  /** A HEAD request looks at headers only: nobody has seen anything. */
  sees: boolean;
  /** Origin of the page whose frame the request comes from; left out: from no frame. */
  frameOrigin?: string;
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The signer whose link it is. 404 for a token that finds nobody, before anything else of the request is looked at. */
export const CurrentSigner = createParamDecorator((_: unknown, context: ExecutionContext): FoundSigner => {
  const { holder } = requestOf(context).constancia;
  if (holder === undefined) throw new NotFound();
  return holder as FoundSigner;
});

export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor => {
  const { constancia, headers, method } = requestOf(context);
  const frameOrigin = (constancia.holder as FoundSigner | undefined)?.frame?.origin ?? undefined;
  return { ip: constancia.clientIp, userAgent: headers['user-agent'], sees: method !== 'HEAD', frameOrigin };
});
