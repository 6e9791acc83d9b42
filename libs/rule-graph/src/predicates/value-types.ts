import { isDay } from '@constancia/kernel/calendar';
import { ALL_LIST_CODES, isCountry, isCurrency } from '@constancia/reference-data';
import type { ListCode } from '@constancia/reference-data';

export type ValueProblemCode =
  'bad_value_type' | 'value_out_of_range' | 'unknown_country' | 'unknown_currency' | 'unknown_list';

/** What is wrong with a condition's value. `at`: JSON Pointer from the value on, `` for the value itself. */
export interface ValueProblem {
  at: string;
  code: ValueProblemCode;
  detail: string;
}

/** What a condition's value may be. */
export interface ValueType<V> {
  /** JSON Schema (2020-12), for people and for the documentation. */
  schema: object;
  /** The value in canonical form (codes in upper case), same shape; adds to `problems` what is wrong, and then answers anything. */
  parse(raw: unknown, problems: ValueProblem[], at?: string): V;
}

const MAX_ITEMS = 500;
const shown = (raw: unknown) => String(JSON.stringify(raw) ?? raw).slice(0, 60);
/** Stands for a value that was refused: the graph is not compiled then. */
const refused = <V>(): V => undefined as V;

function refuse<V>(problems: ValueProblem[], at: string, code: ValueProblemCode, detail: string): V {
  problems.push({ at, code, detail });
  return refused();
}

/** No value, or `true`. */
export const noValue: ValueType<true> = {
  schema: { const: true },
  parse(raw, problems, at = '') {
    if (raw === undefined || raw === null || raw === true) return true;
    return refuse(problems, at, 'bad_value_type', 'This predicate takes no value.');
  },
};

export function number(min: number, max: number, whole = false): ValueType<number> {
  const noun = whole ? 'an integer' : 'a number';
  return {
    schema: { type: whole ? 'integer' : 'number', minimum: min, maximum: max },
    parse(raw, problems, at = '') {
      if (typeof raw !== 'number' || !Number.isFinite(raw) || (whole && !Number.isInteger(raw)))
        return refuse(problems, at, 'bad_value_type', `Give ${noun}, not ${shown(raw)}.`);
      if (raw < min || raw > max)
        return refuse(problems, at, 'value_out_of_range', `Give ${noun} from ${min} to ${max}, not ${raw}.`);
      return raw;
    },
  };
}

export const integer = (min: number, max: number) => number(min, max, true);

export const day: ValueType<string> = {
  schema: { type: 'string', format: 'date' },
  parse(raw, problems, at = '') {
    if (typeof raw !== 'string')
      return refuse(problems, at, 'bad_value_type', `Give a day (YYYY-MM-DD), not ${shown(raw)}.`);
    if (!isDay(raw)) return refuse(problems, at, 'value_out_of_range', `${shown(raw)} is no day (YYYY-MM-DD).`);
    return raw;
  },
};

interface CodeRule<C extends string> {
  schema: object;
  what: string;
  code: ValueProblemCode;
  canonical: (raw: string) => string;
  accepts: (canonical: string) => boolean;
  /** Only for the type. */
  is?: C;
}

function code<C extends string>(rule: CodeRule<C>): ValueType<C> {
  return {
    schema: rule.schema,
    parse(raw, problems, at = '') {
      if (typeof raw !== 'string')
        return refuse(problems, at, 'bad_value_type', `Give ${rule.what} as a text, not ${shown(raw)}.`);
      const canonical = rule.canonical(raw);
      if (!rule.accepts(canonical)) return refuse(problems, at, rule.code, `${shown(raw)} is not ${rule.what}.`);
      return canonical as C;
    },
  };
}

const upper = (raw: string) => raw.toUpperCase();

export const country = code<string>({
  schema: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2' },
  what: 'an ISO 3166-1 alpha-2 country code',
  code: 'unknown_country',
  canonical: upper,
  accepts: isCountry,
});

export const currency = code<string>({
  schema: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'ISO 4217' },
  what: 'an ISO 4217 currency code',
  code: 'unknown_currency',
  canonical: upper,
  accepts: isCurrency,
});

export const listCode = code<ListCode>({
  schema: { enum: ALL_LIST_CODES },
  what: `a list code (${ALL_LIST_CODES.join(', ')})`,
  code: 'unknown_list',
  canonical: upper,
  accepts: (text) => (ALL_LIST_CODES as readonly string[]).includes(text),
});

export function oneOf<C extends string>(choices: readonly C[], canonical = (raw: string): string => raw): ValueType<C> {
  return code<C>({
    schema: { enum: choices },
    what: `one of ${choices.join(', ')}`,
    code: 'value_out_of_range',
    canonical,
    accepts: (text) => (choices as readonly string[]).includes(text),
  });
}

export const upperOneOf = <C extends string>(choices: readonly C[]) => oneOf(choices, upper);

/** A text that matches a pattern. */
export function text(pattern: RegExp, what: string, canonical = (raw: string): string => raw): ValueType<string> {
  return code<string>({
    schema: { type: 'string', pattern: pattern.source },
    what,
    code: 'value_out_of_range',
    canonical,
    accepts: (candidate) => pattern.test(candidate),
  });
}

/** 1 to 500 items. */
export function listOf<V>(item: ValueType<V>): ValueType<V[]> {
  return {
    schema: { type: 'array', items: item.schema, minItems: 1, maxItems: MAX_ITEMS },
    parse(raw, problems, at = '') {
      if (!Array.isArray(raw)) return refuse(problems, at, 'bad_value_type', `Give a list, not ${shown(raw)}.`);
      if (raw.length < 1 || raw.length > MAX_ITEMS)
        return refuse(problems, at, 'value_out_of_range', `Give 1 to ${MAX_ITEMS} items, not ${raw.length}.`);
      return raw.map((each, nth) => item.parse(each, problems, `${at}/${nth}`));
    },
  };
}

/** The first alternative for arrays, the second for objects, the third for everything else; undefined: that form is refused. */
export function byShape<L = never, O = never, S = never>(forms: {
  list?: ValueType<L>;
  object?: ValueType<O>;
  scalar?: ValueType<S>;
}): ValueType<L | O | S> {
  const offered = [forms.scalar, forms.list, forms.object].filter((form) => form !== undefined);
  return {
    schema: { anyOf: offered.map((form) => form.schema) },
    parse(raw, problems, at = '') {
      const form: ValueType<L | O | S> | undefined = Array.isArray(raw)
        ? forms.list
        : raw !== null && typeof raw === 'object'
          ? forms.object
          : forms.scalar;
      return (form ?? (offered[0] as ValueType<L | O | S>)).parse(raw, problems, at);
    },
  };
}

type Shape<T> = { [K in keyof T]-?: ValueType<NonNullable<T[K]>> };

/** An object with these members; `required` ones must be there, no others may. */
export function object<T extends object>(members: Shape<T>, required: readonly (keyof T & string)[]): ValueType<T> {
  const types = new Map(Object.entries(members) as [string, ValueType<unknown>][]);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries([...types].map(([name, type]) => [name, type.schema])),
      required,
      additionalProperties: false,
    },
    parse(raw, problems, at = '') {
      if (raw === null || typeof raw !== 'object' || Array.isArray(raw))
        return refuse(problems, at, 'bad_value_type', `Give an object with ${[...types.keys()].join(', ')}.`);
      const given = new Map(Object.entries(raw));
      for (const name of given.keys())
        if (!types.has(name))
          refuse(problems, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, 'bad_value_type', `There is no member ${shown(name)} here.`); // prettier-ignore
      const parsed: [string, unknown][] = [];
      for (const [name, type] of types)
        if (given.has(name)) parsed.push([name, type.parse(given.get(name), problems, `${at}/${name}`)]);
        else if ((required as readonly string[]).includes(name))
          refuse(problems, `${at}/${name}`, 'bad_value_type', `Give the member ${name}.`);
      return Object.fromEntries(parsed) as T;
    },
  };
}

/** Refuses `{min, max}` whose ends are crossed. */
export function ordered<T extends { min: number; max: number | string }>(type: ValueType<T>): ValueType<T> {
  return {
    schema: type.schema,
    parse(raw, problems, at = '') {
      const before = problems.length;
      const value = type.parse(raw, problems, at);
      if (problems.length === before && typeof value.max === 'number' && value.min > value.max)
        return refuse(problems, at, 'value_out_of_range', `min ${value.min} is more than max ${value.max}.`);
      return value;
    },
  };
}
