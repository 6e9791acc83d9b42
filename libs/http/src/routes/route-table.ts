import type { Host } from './hosts.ts';
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
