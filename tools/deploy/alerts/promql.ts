/** What a metric is about: where a module runs, and its process. */
export interface Scope {
  namespace: string;
  app: string;
}

/** A series of a module, with further matchers as PromQL writes them. */
export function metric(name: string, { namespace, app }: Scope, ...matchers: string[]): string {
  return `${name}{${[`namespace="${namespace}"`, `app="${app}"`, ...matchers].join(', ')}}`;
}

/** Prometheus's own word on whether the module's copies answered, by the name of their Service. */
export function up({ namespace, app }: Scope): string {
  return `up{namespace="${namespace}", job="${app}"}`;
}

const KEYWORDS = new Set(
  ['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'bool', 'offset'].concat(
    'inf',
  ),
);

/** A metric that an expression reads, with the labels that it asks for. */
export interface MetricUse {
  name: string;
  labels: string[];
}

/** Every metric in an expression. Labels of `by (…)` count for each of them. */
export function metricsIn(expr: string): MetricUse[] {
  const grouped = [...expr.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list]) => words(list as string));
  const bare = expr.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ').replace(/\[[^\]]*\]/g, ' ');
  const uses: MetricUse[] = [];
  for (const [, name, matchers] of bare.matchAll(
    /(?<![\w"$:])([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^"}]|"[^"]*")*)\})?(?!\s*[\w(])/g,
  )) {
    if (KEYWORDS.has(name as string)) continue;
    const asked = [...(matchers ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label as string);
    uses.push({ name: name as string, labels: [...new Set([...asked, ...grouped])] });
  }
  return uses;
}

const words = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
