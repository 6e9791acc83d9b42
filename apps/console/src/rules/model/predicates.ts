import { predicateReference } from '@constancia/rule-graph';
import { formOf, inForm, type ValueForm } from './value-form.ts';

/** A question as people choose it. */
export interface PredicateEntry {
  name: string;
  title: { es: string; en: string };
  form: ValueForm;
}

const ENTRIES = new Map(
  predicateReference().map(({ name, title, value_schema }): [string, PredicateEntry] => [
    name,
    { name, title, form: formOf(value_schema) },
  ]),
);

export const PREDICATES = [...ENTRIES.values()];
export const predicateNamed = (name: string): PredicateEntry | undefined => ENTRIES.get(name);

/** The value to go on with when another question is chosen: kept where both are entered in the same way. */
export function carriedValue(value: unknown, from: string, to: string): unknown {
  const [before, after] = [predicateNamed(from)?.form, predicateNamed(to)?.form];
  if (before === undefined || after === undefined) return undefined;
  return JSON.stringify(before) === JSON.stringify(after) ? inForm(after, value) : undefined;
}
