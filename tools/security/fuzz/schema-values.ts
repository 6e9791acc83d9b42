import { PREDICATE_NAMES } from '@constancia/rule-graph';
import fc, { type Arbitrary } from 'fast-check';
import { IdRef, kindOf } from './known-ids.ts';
import type { Operation, Resolve, Schema } from './operations.ts';

const MAX_DEPTH = 6;

/** References to ids of a kind: mostly the caller's, so that requests get past the look-up. */
export function idOf(kind: string): Arbitrary<IdRef> {
  const whose = fc.oneof(
    { weight: 8, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('nobody' as const) },
  );
  return fc.tuple(whose, fc.nat(40)).map(([who, nth]) => new IdRef(kind, who, nth));
}

const uri = idOf('stored_uri');
/** Members whose schema leaves open what the operation looks for. */
const SOUGHT: Record<string, Arbitrary<unknown>> = {
  predicate: fc.constantFrom(...PREDICATE_NAMES),
  full_name: fc.constantFrom('Aurelio Ficticio Ejemplar', 'Ana', '李', 'O’Higgins-Ñáñez', ''),
  input: fc.oneof(
    fc.constant({ accepted: true }),
    fc.constant({}),
    fc.constant({ skip: true }),
    fc.record({ doc_front_uri: uri, doc_back_uri: uri }, { requiredKeys: ['doc_front_uri'] }),
    fc.record({ selfie_uri: uri, liveness_mode: fc.constantFrom('basic', 'active') }),
  ),
};

/** Values that a schema allows; ids in them are references. */
export class SchemaValues {
  constructor(
    private readonly operation: Operation,
    private readonly resolve: Resolve,
  ) {}

  of(schema: Schema, name = '', depth = 0): Arbitrary<unknown> {
    const rule = this.resolve(schema);
    const kind = kindOf(name, this.operation);
    if (kind !== undefined && name !== 'id') return idOf(kind);
    const sought = SOUGHT[name];
    const free = sought ? fc.oneof(sought, this.byRule(rule, name, depth)) : this.byRule(rule, name, depth);
    if (rule.example === undefined) return free;
    return fc.oneof({ weight: 1, arbitrary: fc.constant(rule.example) }, { weight: 2, arbitrary: free });
  }

  private byRule(rule: Schema, name: string, depth: number): Arbitrary<unknown> {
    if (rule.const !== undefined) return fc.constant(rule.const);
    if (rule.enum) return fc.constantFrom(...rule.enum);
    const choices = rule.oneOf ?? rule.anyOf;
    if (choices) return fc.oneof(...choices.map((choice) => this.of(choice, name, depth + 1)));
    if (rule.allOf) return this.all(rule, name, depth);
    return this.byType(rule, name, depth);
  }

  private byType(rule: Schema, name: string, depth: number): Arbitrary<unknown> {
    const types = [rule.type ?? (rule.properties ? 'object' : 'any')].flat();
    const each = types.map((type): Arbitrary<unknown> => {
      if (type === 'object') return this.object(rule, depth);
      if (type === 'array') return this.array(rule, name, depth);
      if (type === 'string') return text(rule);
      if (type === 'integer') return fc.integer({ min: rule.minimum ?? -5, max: rule.maximum ?? 1_000_000 });
      if (type === 'number') return number(rule);
      if (type === 'boolean') return fc.boolean();
      if (type === 'null') return fc.constant(null);
      return depth > MAX_DEPTH ? fc.constant(1) : fc.jsonValue({ maxDepth: 2 });
    });
    return each.length === 1 ? (each[0] as Arbitrary<unknown>) : fc.oneof(...each);
  }

  /** All of several schemas: their members together; a lone one as it is. */
  private all(rule: Schema, name: string, depth: number): Arbitrary<unknown> {
    const parts = (rule.allOf ?? []).map((part) => this.resolve(part));
    if (parts.length === 1 && rule.properties === undefined) return this.of(parts[0] as Schema, name, depth);
    const merged: Schema = { type: 'object', properties: {}, required: [] };
    for (const part of [...parts, rule]) {
      Object.assign(merged.properties as object, part.properties);
      merged.required?.push(...(part.required ?? []));
    }
    return this.object(merged, depth);
  }

  private object(rule: Schema, depth: number): Arbitrary<unknown> {
    const members = Object.entries(rule.properties ?? {}).map(
      ([name, schema]) => [name, this.of(schema, name, depth + 1)] as const,
    );
    if (depth > MAX_DEPTH) return fc.constant({});
    const named = fc.record(Object.fromEntries(members), { requiredKeys: (rule.required ?? []) as never[] });
    const more = rule.additionalProperties;
    if (typeof more !== 'object') return named;
    const extra = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), this.of(more, '', depth + 1), { maxKeys: 4 });
    return fc.tuple(named, extra).map(([one, two]) => ({ ...two, ...one }));
  }

  private array(rule: Schema, name: string, depth: number): Arbitrary<unknown> {
    const minLength = rule.minItems ?? 0;
    const maxLength = Math.max(minLength, Math.min(rule.maxItems ?? 4, 4));
    return fc.array(this.of(rule.items ?? {}, name, depth + 1), { minLength, maxLength });
  }
}

function number({ minimum, maximum }: Schema): Arbitrary<number> {
  return fc.double({ min: minimum ?? -1e6, max: maximum ?? 1e6, noNaN: true });
}

const FORMATS: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.emailAddress().map((address) => `fuzz-${address.length}@mail.example`),
  uri: fc.constantFrom('https://hooks.example.com/in', 'http://127.0.0.1:9/in', 'https://127.1/', 'urn:x'),
  date: fc.date({ min: new Date('1900-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map(day),
  'date-time': fc
    .date({ min: new Date('1970-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
};

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function text(rule: Schema): Arbitrary<string> {
  const byFormat = FORMATS[rule.format ?? ''];
  if (byFormat) return byFormat;
  const { minLength = 0, maxLength = 30 } = rule;
  if (rule.pattern !== undefined) {
    return fc.stringMatching(new RegExp(rule.pattern)).map((each) => each.slice(0, rule.maxLength ?? 200));
  }
  const unit = fc.constantFrom<'grapheme-ascii' | 'grapheme'>('grapheme-ascii', 'grapheme');
  return unit.chain((each) =>
    fc.string({ unit: each, minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }),
  );
}
