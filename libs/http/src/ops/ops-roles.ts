import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Forbidden } from '@constancia/problem-json';
import type { OpsRole } from '@constancia/telemetry';
import type { Request } from '../request/request-state.ts';
import type { RouteFacts } from '../routes/route-facts.ts';
import { accessOf } from './ops-listener.ts';

/** The role that a route of the operators' API needs. */
export function roleOf({ method, ops }: Pick<RouteFacts, 'method' | 'ops'>): OpsRole {
  return ops?.role ?? (method === 'GET' ? 'read' : 'act');
}

/** Lets the holder of a token do what its roles allow. The token was checked before the body was read (admitOperator). */
export class OpsRoles implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { operator } = request;
    if (operator === undefined) return false; // the route was reached on another listener
    const role = roleOf(request.constancia.route);
    if (!operator.roles.has(role)) {
      throw new Forbidden(`This needs the role ${role}; ${operator.name} has ${[...operator.roles].join(', ')}.`);
    }
    request.opsCaller = accessOf(request.raw).callerOf(operator, request.headers['x-operator']);
    return true;
  }
}
