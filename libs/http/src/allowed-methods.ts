import { MethodNotAllowed, NotFound, type Problem } from '@constancia/problem-json';
import { type Host, hostOf } from './hosts.ts';
import { servedElsewhere } from './other-hosts.ts';
import type { Request } from './request-state.ts';
import type { RouteFacts } from './route-facts.ts';

/** Which methods each path pattern answers to; asked only when no route matched. */
export class RouteTable {
  private readonly routes: { matches: RegExp; method: string; facts: RouteFacts }[] = [];

  add(method: string, pattern: string, facts: RouteFacts): void {
    if (pattern !== '*' && pattern !== '/*') this.routes.push({ matches: matcher(pattern), method, facts });
  }

  /** The routes of a host, in the order in which they were registered. */
  of(host: Host): RouteFacts[] {
    return this.routes.flatMap(({ facts }) => (facts.hosts.includes(host) ? [facts] : []));
  }

  /** The methods of every pattern of a host that the path fits, sorted. */
  methodsOf(path: string, host: Host): string[] {
    const fitting = this.routes.filter(({ matches, facts }) => facts.hosts.includes(host) && matches.test(path));
    return [...new Set(fitting.map(({ method }) => method))].sort();
  }
}

const tables = new WeakMap<object, RouteTable>();

/** Binds the table to its server. */
export function useRouteTable(server: object, table: RouteTable): void {
  tables.set(server, table);
}

/** The routes of a host of this server. */
export function routesOf(server: object, host: Host): RouteFacts[] {
  return tables.get(server)?.of(host) ?? [];
}

/** The methods of a path on a host of this server. */
export function methodsAt(server: object, path: string, host: Host): string[] {
  return tables.get(server)?.methodsOf(path, host) ?? [];
}

/** What to answer to a request that no route matched: 405 with Allow when its path exists, else 404. */
export function allowedMethods(request: Request): Problem {
  const path = (request.raw.url ?? '').split(/[?#]/, 1)[0] as string;
  const methods = methodsAt(request.server, path, hostOf(request.raw));
  return methods.length > 0 && !methods.includes(request.method)
    ? new MethodNotAllowed(methods)
    : new NotFound(servedElsewhere(request.server, path) ?? 'No such path.');
}

function matcher(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((segment) =>
      segment
        .split(/(:[A-Za-z_][A-Za-z0-9_]*|\*)/)
        .map((part) =>
          part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
        )
        .join(''),
    )
    .join('/');
  return new RegExp(`^${source}$`);
}
