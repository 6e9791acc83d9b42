import { IdRef, kindOf } from './known-ids.ts';
import type { Operation, Resolve, Schema } from './operations.ts';

/** A limit that an OpenAPI file states of a part of a request, with a value that keeps it and one that breaks it. */
export interface StatedLimit {
  /** Of the value, as a problem document names it: /query/limit, /payload/full_name. */
  pointer: string;
  /** The keyword of the schema, such as maxLength. */
  keyword: string;
  /** At the limit; left out where only a value with a meaning would do (a pattern, a format). */
  within?: unknown;
  beyond: unknown;
}

/** More items than any list may have that a person writes; longer lists are a matter of the size of the body. */
const MOST_ITEMS = 2_000;
const MAX_DEPTH = 6;
const NO_SUCH_TEXT = ['¡no! ~ &', '~', ''];

/** The limits of requests of one operation. */
export class StatedLimits {
  constructor(
    readonly operation: Operation,
    private readonly resolve: Resolve,
  ) {}

  /** Those of its query and its body. */
  get all(): StatedLimit[] {
    const parameters = this.operation.parameters
      .filter(({ in: place }) => place === 'query')
      .flatMap(({ name, schema }) => this.ofText(`/query/${name}`, this.merged(schema)));
    const body = this.operation.bodies.get('application/json');
    return [...parameters, ...(body ? this.ofMembers('', this.merged(body), 0) : [])];
  }

  /** A body with every member that the document names; ids in it are references. */
  get body(): unknown {
    const schema = this.operation.bodies.get('application/json');
    return schema && this.sample(schema, '', 0);
  }

  /** What a query must have. */
  get query(): Record<string, unknown> {
    const needed = this.operation.parameters.filter(({ in: place, required }) => place === 'query' && required);
    return Object.fromEntries(needed.map(({ name, schema }) => [name, this.sample(schema, name, 0)]));
  }

  /** A query is text: numbers in it, too, and nothing is of a wrong type. */
  private ofText(pointer: string, rule: Schema): StatedLimit[] {
    return this.ofValue(pointer, rule).filter(({ keyword }) => keyword !== 'type');
  }

  private ofMembers(pointer: string, rule: Schema, depth: number): StatedLimit[] {
    if (depth > MAX_DEPTH) return [];
    const members = Object.entries(rule.properties ?? {}).flatMap(([name, schema]) => {
      const at = `${pointer}/${name}`;
      const member = this.merged(schema);
      const missing = rule.required?.includes(name) ? [{ pointer: at, keyword: 'required', beyond: undefined }] : [];
      return [...missing, ...this.ofValue(at, member), ...this.ofMembers(at, member, depth + 1)];
    });
    const items = rule.items ? this.merged(rule.items) : undefined;
    const inItems = items ? [...this.ofValue(`${pointer}/0`, items), ...this.ofMembers(`${pointer}/0`, items, depth + 1)] : []; // prettier-ignore
    return [...members, ...inItems];
  }

  private ofValue(pointer: string, rule: Schema): StatedLimit[] {
    const types = [rule.type ?? []].flat();
    return [
      ...(types.length > 0 ? [{ pointer, keyword: 'type', beyond: types.includes('object') ? 'text' : { no: 1 } }] : []),
      ...(rule.enum ? [{ pointer, keyword: 'enum', beyond: typeof rule.enum[0] === 'number' ? 987_654 : 'no-such' }] : []),
      ...lengths(pointer, rule),
      ...bounds(pointer, rule),
      ...(types.includes('array') ? this.counts(pointer, rule) : []),
    ]; // prettier-ignore
  }

  private counts(pointer: string, rule: Schema): StatedLimit[] {
    const { minItems = 0, maxItems = Infinity, items = {} } = rule;
    const { enum: choices, pattern, format } = this.merged(items);
    const alike = pattern !== undefined || format !== undefined || (choices?.length ?? Infinity) < maxItems;
    const list = (length: number) => Array.from({ length }, (_, nth) => this.item(items, nth));
    return [
      ...(minItems > 0 ? [{ pointer, keyword: 'minItems', within: list(minItems), beyond: list(minItems - 1) }] : []),
      ...(maxItems <= MOST_ITEMS
        ? [{ pointer, keyword: 'maxItems', ...(!alike && { within: list(maxItems) }), beyond: list(maxItems + 1) }]
        : []),
    ];
  }

  /** One of many that must differ. */
  private item(schema: Schema, nth: number): unknown {
    const { enum: choices, pattern, format } = this.merged(schema);
    if (choices) return choices[nth % choices.length];
    const value = this.sample(schema, '', 1);
    return typeof value === 'string' && !pattern && !format ? `${value.slice(0, 8)}${nth}` : value;
  }

  private sample(schema: Schema, name: string, depth: number): unknown {
    const kind = kindOf(name, this.operation);
    if (kind !== undefined && name !== 'id') return new IdRef(kind, 'own', 0);
    const rule = this.merged(schema);
    if (rule.example !== undefined) return rule.example;
    if (rule.enum) return rule.enum[0];
    return this.sampleOfType(rule, depth);
  }

  private sampleOfType(rule: Schema, depth: number): unknown {
    const type = [rule.type ?? []].flat().find((one) => one !== 'null');
    if (type === 'array') return depth > MAX_DEPTH ? [] : [this.sample(rule.items ?? {}, '', depth + 1)];
    if (type === 'string') return 'texto'.padEnd(rule.minLength ?? 0, 'x').slice(0, rule.maxLength);
    if (type === 'integer' || type === 'number') return rule.minimum ?? 1;
    if (type === 'boolean') return true;
    const members = depth > MAX_DEPTH ? [] : Object.entries(rule.properties ?? {});
    return Object.fromEntries(members.map(([member, one]) => [member, this.sample(one, member, depth + 1)]));
  }

  /** A schema with those that it refers to in one; of several choices the first. */
  private merged(schema: Schema): Schema {
    const rule = this.resolve(schema);
    const parts = [...(rule.allOf ?? []), ...[rule.oneOf ?? rule.anyOf ?? []].flat().slice(0, 1)];
    return parts.reduce<Schema>((whole, part) => {
      const one = this.merged(part);
      return {
        ...one,
        ...whole,
        properties: { ...one.properties, ...whole.properties },
        required: [...(one.required ?? []), ...(whole.required ?? [])],
      };
    }, rule);
  }
}

function lengths(pointer: string, { minLength = 0, maxLength, pattern, format }: Schema): StatedLimit[] {
  const free = pattern === undefined && format === undefined;
  const limits: StatedLimit[] = [];
  const add = (keyword: string, beyond: string, within: string) =>
    limits.push({ pointer, keyword, beyond, ...(free && { within }) });
  if (maxLength !== undefined) add('maxLength', 'x'.repeat(maxLength + 1), 'x'.repeat(maxLength));
  if (minLength > 0) add('minLength', 'x'.repeat(minLength - 1), 'x'.repeat(minLength));
  if (pattern !== undefined) {
    const none = NO_SUCH_TEXT.find((text) => !new RegExp(pattern, 'u').test(text));
    if (none !== undefined) limits.push({ pointer, keyword: 'pattern', beyond: none });
  }
  if (format !== undefined && !format.startsWith('int'))
    limits.push({ pointer, keyword: 'format', beyond: 'no such thing' });
  return limits;
}

function bounds(pointer: string, { type, minimum, maximum }: Schema): StatedLimit[] {
  if (![type].flat().some((one) => one === 'integer' || one === 'number')) return [];
  return [
    ...(maximum === undefined ? [] : [{ pointer, keyword: 'maximum', within: maximum, beyond: maximum + 1 }]),
    ...(minimum === undefined ? [] : [{ pointer, keyword: 'minimum', within: minimum, beyond: minimum - 1 }]),
  ];
}
