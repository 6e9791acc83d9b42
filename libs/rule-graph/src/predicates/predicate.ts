import type { Needs } from '../needs.ts';
import type { BilingualText } from '../rule-template.ts';
import type { Constraint } from './constraint.ts';
import type { Outcome, Reading } from './reading.ts';
import type { ValueType } from './value-types.ts';

/** A question that conditions may ask: one row of the table that linter, compiler and documentation share. */
export interface Predicate<V = unknown> {
  title: BilingualText;
  value: ValueType<V>;
  /** A value that lints, for the documentation. */
  example: V;
  /** Which facts it looks at: payload members, or `matches`, `related_parties`, `fatf`, `history`. */
  reads: readonly string[];
  /** Prepares the value once, and answers the question for each reading. */
  test: (value: V) => (reading: Reading) => Outcome;
  /** What holds where it is true. */
  constraint?: (value: V) => Constraint;
  /** What has to be gathered for it beyond the payload. */
  needs?: (value: V) => Partial<Needs>;
}

/** Keeps the value's type within a row while the table forgets it. */
export const predicate = <V>(row: Predicate<V>): Predicate => row as unknown as Predicate;
