import type { BilingualText } from '../rule-template.ts';
import { OF_CONTEXT } from './of-context.ts';
import { OF_LISTS } from './of-lists.ts';
import { OF_SUBJECT } from './of-subject.ts';
import { OF_TRANSACTION } from './of-transaction.ts';
import type { Predicate } from './predicate.ts';

const TABLE = { ...OF_SUBJECT, ...OF_TRANSACTION, ...OF_LISTS, ...OF_CONTEXT };

export type PredicateName = keyof typeof TABLE;
export const PREDICATE_NAMES = Object.keys(TABLE) as PredicateName[];

/** The predicate of a name; undefined for others, also for what objects inherit. */
export function predicateOf(name: string): Predicate | undefined {
  return Object.hasOwn(TABLE, name) ? TABLE[name as PredicateName] : undefined;
}

/** A predicate as callers see it. */
export interface PredicateEntry {
  name: PredicateName;
  title: BilingualText;
  /** JSON Schema (2020-12) of a condition's `value`. */
  value_schema: object;
  example: unknown;
  reads: readonly string[];
}

/** All predicates, for documentation and editors. */
export function predicateReference(): PredicateEntry[] {
  return PREDICATE_NAMES.map((name) => {
    const { title, value, example, reads } = TABLE[name];
    return { name, title, value_schema: value.schema, example, reads };
  });
}
