/**
 * What a condition says of one dimension of the facts, for the warnings: whether conditions contradict each other, and
 * whether one follows from others. Bounds are inclusive unless open.
 */
export type Constraint = RangeConstraint | SetConstraint | SomeConstraint;

export interface RangeConstraint {
  dimension: string;
  kind: 'range';
  low: number;
  high: number;
  lowOpen?: boolean;
  highOpen?: boolean;
}

/** The value is one of these, or, excluded, none of these. */
export interface SetConstraint {
  dimension: string;
  kind: 'set';
  values: ReadonlySet<string>;
  excluded: boolean;
}

/** At least one of these is present, or, negated, none is. */
export interface SomeConstraint {
  dimension: string;
  kind: 'some';
  values: ReadonlySet<string>;
  negated: boolean;
}

const ENDLESS = Number.POSITIVE_INFINITY;

export const atLeast = (dimension: string, low: number): Constraint => between(dimension, low, ENDLESS);
export const below = (dimension: string, high: number): Constraint => ({
  dimension,
  kind: 'range',
  low: -ENDLESS,
  high,
  highOpen: true,
});
export const above = (dimension: string, low: number): Constraint => ({
  dimension,
  kind: 'range',
  low,
  high: ENDLESS,
  lowOpen: true,
});
export const between = (dimension: string, low: number, high: number): Constraint => ({
  dimension,
  kind: 'range',
  low,
  high,
});
export const among = (dimension: string, values: readonly string[], excluded = false): Constraint => ({
  dimension,
  kind: 'set',
  values: new Set(values),
  excluded,
});
export const some = (dimension: string, values: readonly string[]): Constraint => ({
  dimension,
  kind: 'some',
  values: new Set(values),
  negated: false,
});

/** What holds where a condition is known to be false; undefined where that is no single constraint. */
export function negation(constraint: Constraint): Constraint | undefined {
  if (constraint.kind === 'set') return { ...constraint, excluded: !constraint.excluded };
  if (constraint.kind === 'some') return { ...constraint, negated: !constraint.negated };
  const { dimension, low, high, lowOpen = false, highOpen = false } = constraint;
  if (high === ENDLESS) return { dimension, kind: 'range', low: -ENDLESS, high: low, highOpen: !lowOpen };
  if (low === -ENDLESS) return { dimension, kind: 'range', low: high, high: ENDLESS, lowOpen: !highOpen };
  return undefined;
}

const isSubset = (inner: ReadonlySet<string>, outer: ReadonlySet<string>) =>
  [...inner].every((value) => outer.has(value));

/** Whether no facts can satisfy all of them. Constraints of different dimensions never contradict each other. */
export function contradict(constraints: readonly Constraint[]): boolean {
  return [...new Set(constraints.map(({ dimension }) => dimension))].some((dimension) => {
    const group = constraints.filter((each) => each.dimension === dimension);
    return (
      emptyRange(group.filter((each) => each.kind === 'range')) ||
      emptySet(group.filter((each) => each.kind === 'set')) ||
      opposed(group.filter((each) => each.kind === 'some'))
    );
  });
}

function emptyRange(ranges: RangeConstraint[]): boolean {
  const low = Math.max(...ranges.map((range) => range.low));
  const high = Math.min(...ranges.map((range) => range.high));
  if (low !== high) return low > high;
  return ranges.some((range) => (range.low === low && range.lowOpen) || (range.high === high && range.highOpen));
}

function emptySet(sets: SetConstraint[]): boolean {
  const [first, ...others] = sets.filter((set) => !set.excluded);
  if (!first) return false;
  const denied = sets.filter((set) => set.excluded);
  return ![...first.values].some(
    (value) => others.every((set) => set.values.has(value)) && !denied.some((set) => set.values.has(value)),
  );
}

function opposed(group: SomeConstraint[]): boolean {
  const absent = group.filter((each) => each.negated);
  return group.some((each) => !each.negated && absent.some((none) => isSubset(each.values, none.values)));
}

/** Whether `conclusion` holds wherever `premise` does. */
export function implies(premise: Constraint, conclusion: Constraint): boolean {
  if (premise.dimension !== conclusion.dimension) return false;
  const negated = negation(conclusion);
  if (negated) return contradict([premise, negated]);
  return (
    premise.kind === 'range' &&
    conclusion.kind === 'range' &&
    premise.low >= conclusion.low &&
    premise.high <= conclusion.high
  );
}
