import { MethodNotAllowed, NotFound, type Problem } from '@constancia/problem-json';
import type { Request } from './request-state.ts';

/** Which methods each path pattern answers to; asked only when no route matched. */
export class RouteTable {
  private readonly patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();

  add(method: string, pattern: string): void {
    if (pattern === '*' || pattern === '/*') return;
    const known = this.patterns.get(pattern);
    if (known !== undefined) known.methods.add(method);
    else this.patterns.set(pattern, { matches: matcher(pattern), methods: new Set([method]) });
  }

  /** The methods of every pattern that the path fits, sorted. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const pattern of this.patterns.values()) {
      if (pattern.matches.test(path)) for (const method of pattern.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

const tables = new WeakMap<object, RouteTable>();

/** Binds the table to its server. */
export function useRouteTable(server: object, table: RouteTable): void {
  tables.set(server, table);
}

/** What to answer to a request that no route matched: 405 with Allow when its path exists, else 404. */
export function allowedMethods(request: Request): Problem {
  const path = (request.raw.url ?? '').split(/[?#]/, 1)[0] as string;
  const methods = tables.get(request.server)?.methodsOf(path) ?? [];
  return methods.length > 0 && !methods.includes(request.method)
    ? new MethodNotAllowed(methods)
    : new NotFound('No such path.');
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
