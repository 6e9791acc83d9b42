import { applyDecorators, Controller, createParamDecorator, type ExecutionContext, UseGuards } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { OpsCaller, OpsRole } from '@constancia/telemetry';
import type { Request } from '../request/request-state.ts';
import { mark } from '../routes/route-facts.ts';
import { OpsRoles } from './ops-roles.ts';

/** Bytes that the JSON body of an operator may have. */
const BODY_BYTES = 64 * 1024;

/**
 * A controller of the operators' API: its routes are answered on the ops listener alone, for callers with an operator's token. It is
 * part of a module like any other; docs/api/ops.v1.yaml describes it.
 */
export function OpsController(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseGuards(OpsRoles), mark({ hosts: ['ops'], jsonLimitBytes: BODY_BYTES }));
}

export interface OpsOperationOptions {
  /** Left out: `read` for GET, `act` for anything else. */
  role?: OpsRole;
  /** The handler reads the body itself, as a stream of any size and content type. */
  stream?: boolean;
}

/** What a handler of an OpsController does, in one line: for GET /ops and the API description. */
export function OpsOperation(summary: string, { role, stream }: OpsOperationOptions = {}): MethodDecorator {
  return applyDecorators(ApiOperation({ summary }), mark({ ops: { summary, role, stream: stream ?? false } }));
}

/** Who makes the request (OpsCaller). */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): OpsCaller => {
  return context.switchToHttp().getRequest<Request>().opsCaller as OpsCaller;
});
