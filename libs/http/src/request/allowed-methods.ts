import { MethodNotAllowed, NotFound, type Problem } from '@constancia/problem-json';
import { hostOf } from '../routes/hosts.ts';
import { servedElsewhere } from './other-hosts.ts';
import type { Request } from './request-state.ts';

/** What to answer to a request that no route matched: 405 with Allow when its path exists, else 404. */
export function allowedMethods(request: Request): Problem {
  const path = (request.raw.url ?? '').split(/[?#]/, 1)[0] as string;
  const methods = request.server.constancia.routes.methodsOf(path, hostOf(request.raw));
  return methods.length > 0 && !methods.includes(request.method)
    ? new MethodNotAllowed(methods)
    : new NotFound(servedElsewhere(request.server.constancia.options, path) ?? 'No such path.');
}
