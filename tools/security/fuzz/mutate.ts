import type { BodyMutation } from './hostile.ts';

type Parent = Record<string, unknown> | unknown[];
interface Place {
  parent: Parent | undefined;
  key: string;
  value: unknown;
}

/** As many levels as a body can be changed in: one that was made deep on purpose is changed near its top. */
const DEEPEST = 50;

/** The values in a body, from the outside in. */
function places(value: unknown, parent?: Parent, key = '', depth = 0): Place[] {
  const here: Place[] = [{ parent, key, value }];
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return here;
  const inner = Object.entries(value).slice(0, 300);
  return [...here, ...inner.flatMap(([name, each]) => places(each, value as Parent, name, depth + 1))];
}

function put({ parent, key }: Place, value: unknown, body: unknown): unknown {
  if (parent === undefined) return value;
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
  return body;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A body with one thing changed; the given one is not kept. */
export function mutated(body: unknown, mutation: BodyMutation): unknown {
  const all = places(body);
  const fitting =
    mutation.kind === 'inject' || mutation.kind === 'keys'
      ? all.filter(({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value))
      : all;
  const place = fitting[mutation.at % fitting.length];
  if (!place) return body;
  switch (mutation.kind) {
    case 'replace':
      return put(place, mutation.value, body);
    case 'wrap':
      return put(place, [place.value], body);
    case 'remove':
      if (place.parent === undefined) return body;
      if (Array.isArray(place.parent)) place.parent.splice(Number(place.key), 1);
      else delete place.parent[place.key];
      return body;
    case 'inject':
      return put({ parent: place.value as Parent, key: mutation.member[0], value: null }, mutation.member[1], body);
    case 'repeat':
      return put(place, repeated(place.value, mutation.times), body);
    case 'keys':
      for (let i = 0; i < mutation.times; i++) (place.value as Record<string, unknown>)[`k${i}`] = i;
      return body;
    case 'deepen':
      return put(place, nested(Math.min(mutation.times, 1_000)), body);
  }
}

function repeated(value: unknown, times: number): unknown {
  if (typeof value === 'string') return value.repeat(Math.min(times, Math.ceil(200_000 / (value.length + 1))));
  const item: unknown = Array.isArray(value) ? (value[0] ?? 'x') : value;
  return Array.from({ length: times }, () => item);
}
