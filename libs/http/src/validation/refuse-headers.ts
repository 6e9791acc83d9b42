import 'reflect-metadata';
import type { ArgumentMetadata, CanActivate, ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { Request } from '../request/request-state.ts';
import { RequestPipe } from './request-pipe.ts';

const CHECKED = { [RouteParamtypes.BODY]: 'body', [RouteParamtypes.QUERY]: 'query' } as const;

/**
 * Refuses a request whose headers are wrong, with everything that is wrong with its body and query in the same answer. The pipes that
 * check those run after the guards, and know nothing of the request they belong to: they are asked here only when it is refused anyway.
 */
export class RefuseHeaders implements CanActivate {
  private readonly pipe = new RequestPipe();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { headerErrors } = request.constancia;
    if (headerErrors.length === 0) return true;
    throw new ValidationError([...headerErrors, ...this.argumentErrors(context, request)]);
  }

  private argumentErrors(context: ExecutionContext, request: Request): FieldError[] {
    const [controller, method] = [context.getClass(), context.getHandler().name];
    const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as unknown[];
    const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
      string,
      { index: number; data?: string }
    >;
    return Object.entries(declared).flatMap(([name, { index, data }]) => {
      const type = CHECKED[Number(name.split(':')[0]) as keyof typeof CHECKED];
      if (type === undefined || data !== undefined) return [];
      return this.errorsOf(request[type], { type, metatype: types[index] as ArgumentMetadata['metatype'] });
    });
  }

  private errorsOf(value: unknown, metadata: ArgumentMetadata): FieldError[] {
    try {
      this.pipe.transform(value, metadata);
      return [];
    } catch (error) {
      if (error instanceof ValidationError) return error.errors;
      throw error;
    }
  }
}
