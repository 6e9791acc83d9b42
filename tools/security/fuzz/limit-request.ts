import { IdRef, kindOf } from './known-ids.ts';
import type { FuzzRequest } from './requests.ts';
import type { StatedLimit, StatedLimits } from './stated-limits.ts';

/**
 * A request in which one value is another; undefined takes it away.
 *
 * @param nth which of the caller's ids of a kind is meant by one in the path
 */
export function requestWith(
  { operation, body, query }: StatedLimits,
  { pointer }: StatedLimit,
  value: unknown,
  nth: (kind: string) => number = () => 0,
): FuzzRequest {
  const [, ...steps] = pointer.split('/');
  const inQuery = steps[0] === 'query';
  const changed = copyOf(body);
  if (!inQuery) put(changed as Record<string, unknown>, steps, value);
  const [contentType] = operation.bodies.keys();
  return {
    operation,
    credential: 'own',
    path: Object.fromEntries(
      operation.parameters
        .filter(({ in: place }) => place === 'path')
        .map(({ name, schema }) => {
          const kind = kindOf(name, operation);
          return [name, kind ? new IdRef(kind, 'own', nth(kind)) : String(schema.enum?.[0] ?? schema.example)];
        }),
    ),
    query: inQuery ? { ...query, [steps[1] as string]: value } : query,
    headers: {},
    body: contentType === undefined ? undefined : { contentType, value: changed },
    twist: { body: [] },
  };
}

/** A copy; references stay what they are. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || value instanceof IdRef) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}

function put(body: Record<string, unknown>, steps: string[], value: unknown): void {
  const last = steps.at(-1) as string;
  let parent = body;
  for (const [nth, step] of steps.slice(0, -1).entries()) {
    parent = (parent[step] ??= steps[nth + 1] === '0' ? [] : {}) as Record<string, unknown>;
  }
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
