import fc, { type Arbitrary } from 'fast-check';
import {
  type BodyMutation,
  bodyMutation,
  CONTENT_TYPES,
  HEADERS,
  HOSTILE,
  QUERIES,
  RAW_BODIES,
  SEGMENTS,
} from './hostile.ts';
import { type IdRef, kindOf } from './known-ids.ts';
import type { Operation, Parameter, Resolve } from './operations.ts';
import { idOf, SchemaValues } from './schema-values.ts';

export type Credential = 'own' | 'none' | 'malformed' | 'twice' | 'session' | 'bearer';

/** One call as data: what is left open (ids, keys) is filled in when it is sent. */
export interface FuzzRequest {
  operation: Operation;
  credential: Credential;
  path: Record<string, IdRef | string>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: { contentType: string; value: unknown } | undefined;
  /** What is done to it; nothing: a request as the document describes it. */
  twist: Twist;
}

export interface Twist {
  body: BodyMutation[];
  rawBody?: string;
  contentType?: { is: string | undefined };
  query?: string;
  headers?: Record<string, string | string[]>;
  /** Flips, cuts or empties the bytes of a body that is no JSON. */
  bytes?: { kind: 'cut' | 'flip' | 'empty' | 'double'; at: number };
  method?: string;
  trailing?: string;
}

/** Requests of one operation: most as documented, some with one or a few things wrong. */
export function requestOf(operation: Operation, resolve: Resolve): Arbitrary<FuzzRequest> {
  const values = new SchemaValues(operation, resolve);
  const parameters = (place: Parameter['in'], value: (one: Parameter) => Arbitrary<unknown>) => {
    const named = operation.parameters.filter((one) => one.in === place);
    return fc.record(Object.fromEntries(named.map((one) => [one.name, value(one)])), {
      requiredKeys: named.filter(({ required }) => required || place === 'path').map(({ name }) => name) as never[],
    });
  };
  const schemaValue = ({ name, schema }: Parameter) => values.of(schema, name);
  const orHostile = (one: Parameter) =>
    fc.oneof(
      { weight: 9, arbitrary: schemaValue(one) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE.filter((each) => typeof each !== 'object')) },
    );
  return fc.record({
    operation: fc.constant(operation),
    credential: credential(),
    path: parameters('path', (one) => segment(one, operation, values)) as Arbitrary<Record<string, IdRef | string>>,
    query: parameters('query', orHostile) as Arbitrary<Record<string, unknown>>,
    headers: parameters('header', schemaValue) as Arbitrary<Record<string, unknown>>,
    body: bodyOf(operation, values),
    twist: twistOf(operation),
  });
}

function credential(): Arbitrary<Credential> {
  return fc.oneof(
    { weight: 24, arbitrary: fc.constant<Credential>('own') },
    { weight: 1, arbitrary: fc.constantFrom<Credential>('none', 'malformed', 'twice', 'bearer') },
    { weight: 1, arbitrary: fc.constant<Credential>('session') },
  );
}

function segment(one: Parameter, operation: Operation, values: SchemaValues): Arbitrary<unknown> {
  const kind = kindOf(one.name, operation);
  const proper = kind === undefined ? values.of(one.schema, one.name).map(String) : idOf(kind);
  return fc.oneof({ weight: 12, arbitrary: proper }, { weight: 1, arbitrary: fc.constantFrom(...SEGMENTS) });
}

function bodyOf(operation: Operation, values: SchemaValues): Arbitrary<FuzzRequest['body']> {
  if (operation.bodies.size === 0) return fc.constant(undefined);
  const each = [...operation.bodies].map(([contentType, schema]) =>
    (contentType === 'application/json' ? values.of(schema) : fc.constant(null)).map((value) => ({
      contentType,
      value,
    })),
  );
  return fc.oneof(...each);
}

function twistOf(operation: Operation): Arbitrary<Twist> {
  const inBody = operation.bodies.has('application/json');
  const none = fc.constant<Twist>({ body: [] });
  const mutations = fc.array(bodyMutation, { minLength: 1, maxLength: 3 }).map((body): Twist => ({ body }));
  const raw = fc.constantFrom(...RAW_BODIES).map((rawBody): Twist => ({ body: [], rawBody }));
  const type = fc.constantFrom(...CONTENT_TYPES).map((is): Twist => ({ body: [], contentType: { is } }));
  const headers = fc.constantFrom(...HEADERS).map((some): Twist => ({ body: [], headers: some }));
  const query = fc.constantFrom(...QUERIES).map((some): Twist => ({ body: [], query: some }));
  const bytes = fc
    .record({
      kind: fc.constantFrom('cut' as const, 'flip' as const, 'empty' as const, 'double' as const),
      at: fc.nat(),
    })
    .map((some): Twist => ({ body: [], bytes: some }));
  const address = fc
    .record({
      method: fc.constantFrom(undefined, 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'),
      trailing: fc.constantFrom('', '/', '//', '/x', '/%00', '?', '/.', '/..'),
    })
    .map(({ method, trailing }): Twist => ({ body: [], trailing, ...(method && { method }) }));
  const bodies = inBody
    ? [
        { weight: 8, arbitrary: mutations },
        { weight: 1, arbitrary: raw },
      ]
    : [{ weight: 1, arbitrary: raw }];
  return fc.oneof(
    { weight: inBody ? 8 : 4, arbitrary: none },
    ...bodies,
    { weight: operation.method === 'GET' ? 1 : 2, arbitrary: fc.oneof(type, bytes) },
    { weight: 2, arbitrary: headers },
    { weight: operation.method === 'GET' ? 3 : 1, arbitrary: query },
    { weight: 1, arbitrary: address },
  );
}
