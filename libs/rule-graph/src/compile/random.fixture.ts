import { ALL_LIST_CODES } from '@constancia/reference-data';
import fc from 'fast-check';
import { FATF_STATUSES, PARTY_ROLES } from '../facts.ts';
import type { Facts, ListMatch, RelatedParty, SubjectPayload } from '../facts.ts';
import { DECISIONS } from '../rule.ts';
import type { GraphEdge, GraphNode, Rule } from '../rule.ts';

const COUNTRIES = ['CO', 'VE', 'KP', 'IR', 'BO'];
const CURRENCIES = ['COP', 'USD', 'EUR'];
const STATUSES = ['pending', 'approved', 'rejected'];
const DAYS = ['2026-11-21', '2026-11-20', '2026-10-01', '2025-11-21'];
const NUMBERS = ['79123456', '123456789', '900123456-8', '900123456'];
const list = <T>(items: readonly T[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 3 });
const lists = list(ALL_LIST_CODES);
const age = fc.integer({ min: 10, max: 90 });
const score = fc.constantFrom(0.7, 0.8, 0.85, 0.9, 1);
const amount = fc.constantFrom(0, 5_000, 10_000_000, 50_000_000);
const range = <T extends number>(end: fc.Arbitrary<T>) =>
  fc.tuple(end, end).map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }));
const field = fc.constantFrom('city', 'a.b', 'beneficial_owners', 'beneficial_owners.0.name', 'amount', 'toString');
const scalar = fc.constantFrom('Cali', 'x', 3, true, 5_000);
const days = fc.constantFrom(1, 60, 400);

/** A value for every predicate. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  subject_age_gte: age,
  subject_age_lt: age,
  subject_age_between: range(age),
  birth_date_before: fc.constantFrom('2008-11-21', '1950-01-01'),
  birth_date_after: fc.constantFrom('2008-11-21', '1950-01-01'),
  country_in: list(COUNTRIES),
  country_not_in: list(COUNTRIES),
  kyc_status_in: list(STATUSES),
  kyc_status_not_in: list(STATUSES),
  subject_type_is: fc.constantFrom('natural', 'legal'),
  document_type_in: list(['CC', 'NIT', 'PA']),
  document_number_in: list(NUMBERS),
  document_check_failed: fc.constant(true),
  economic_activity_in: list(['92', '6499']),
  amount_gte: amount,
  amount_lt: amount,
  amount_between: range(amount),
  currency_in: list(CURRENCIES),
  currency_not_in: list(CURRENCIES),
  on_restrictive_list: fc.oneof(lists, fc.constantFrom(...ALL_LIST_CODES)),
  list_match_score_gte: fc.oneof(score, fc.record({ min: score, lists })),
  list_match_score_between: fc.oneof(
    fc.record({ min: score, max: fc.constant('hit_threshold') }),
    range(score),
    fc.tuple(range(score), lists).map(([ends, of]) => ({ ...ends, lists: of })),
  ),
  list_program_in: list(['SDGT', 'TERR']),
  list_hit_count_gte: fc.oneof(
    fc.integer({ min: 1, max: 3 }),
    fc.record({ count: fc.integer({ min: 1, max: 3 }), lists }),
  ),
  fatf_status_in: list(FATF_STATUSES),
  related_party_on_list: fc.oneof(
    lists,
    fc.record({ lists, roles: list(PARTY_ROLES), min_ownership_percent: fc.constantFrom(0, 5, 25) }),
  ),
  related_party_country_in: list(COUNTRIES),
  field_present: field,
  field_missing: field,
  field_equals: fc.record({ field, equals: scalar }),
  field_in: fc.record({ field, in: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  prior_decision_in: fc.record({ decisions: list(DECISIONS), days }),
  prior_screenings_gte: fc.record({ count: fc.integer({ min: 1, max: 3 }), days }),
  always: fc.constant(true),
};

export const RANDOM_PREDICATES = Object.keys(VALUES);

const anyCondition = fc
  .constantFrom(...RANDOM_PREDICATES)
  .chain((predicate) => (VALUES[predicate] as fc.Arbitrary<unknown>).map((value) => ({ predicate, value })));
const anyAction = fc.record(
  {
    decision: fc.constantFrom(...DECISIONS),
    score: fc.integer({ min: 0, max: 99 }),
    reason: fc.constantFrom('why', ''),
  },
  { requiredKeys: [] },
);

/**
 * A graph without circles: edges lead from a hidden order's earlier nodes to later ones, while the nodes are written in
 * another order.
 */
const anyDefinition = fc
  .record({
    conditions: fc.array(anyCondition, { maxLength: 8 }),
    actions: fc.array(anyAction, { minLength: 1, maxLength: 4 }),
    links: fc.array(fc.record({ from: fc.nat(), to: fc.nat(), when: fc.constantFrom(undefined, true, false) }), {
      maxLength: 20,
    }),
    written: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ conditions, actions, links, written }) => {
    const nodes: GraphNode[] = [
      ...conditions.map((each, nth) => ({ id: `c${nth}`, type: 'condition' as const, ...each })),
      ...actions.map((each, nth) => ({ id: `a${nth}`, type: 'action' as const, ...each })),
    ];
    const edges = new Map<string, GraphEdge>();
    for (const { from, to, when } of conditions.length === 0 ? [] : links) {
      const source = from % conditions.length;
      const target = source + 1 + (to % (nodes.length - source - 1));
      const edge = { from: nodes[source]?.id as string, to: nodes[target]?.id as string };
      edges.set(`${edge.from} ${edge.to} ${when !== false}`, when === undefined ? edge : { ...edge, when });
    }
    const rank = (node: GraphNode) => written[nodes.indexOf(node)] as number;
    return { nodes: nodes.toSorted((one, other) => rank(one) - rank(other)), edges: [...edges.values()] };
  });

export const randomRules: fc.Arbitrary<Rule[]> = fc.uniqueArray(
  fc.record(
    {
      code: fc.constantFrom('A', 'B', 'a', 'C-1', 'C-10', 'C-2'),
      severity: fc.constantFrom(...DECISIONS),
      score: fc.integer({ min: 0, max: 100 }),
      subject_type: fc.constantFrom('natural' as const, 'legal' as const, 'both' as const),
      description: fc.constantFrom('text', '', null),
      position: fc.nat(2),
      definition: anyDefinition,
    },
    { requiredKeys: ['code', 'severity', 'score', 'subject_type', 'definition'] },
  ),
  { selector: ({ code }) => code, maxLength: 5 },
);

const match: fc.Arbitrary<ListMatch> = fc.record({
  list: fc.constantFrom(...ALL_LIST_CODES),
  entryId: fc.constant('1'),
  score,
  programmes: fc.array(fc.constantFrom('SDGT', 'terr', 'SDNTK'), { maxLength: 2 }),
});
const matches = fc.record({ hits: fc.array(match, { maxLength: 3 }), nearMisses: fc.array(match, { maxLength: 2 }) });
/** Sometimes of the wrong type, sometimes null. */
const oddly = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, '', 7, 'x', [], {}, -1) });

const payload = fc.record(
  {
    full_name: oddly(fc.constant('Persona Ejemplo')),
    birth_date: oddly(fc.constantFrom('2008-11-21', '2008-11-22', '1940-02-29', '2027-01-01', '2026-02-30')),
    subject_age: oddly(fc.constantFrom(17, 18, 19, 86, 151)),
    document_type: oddly(fc.constantFrom('CC', 'nit', 'PA', 'CE', 'DNI')),
    document_number: oddly(fc.constantFrom(...NUMBERS)),
    document_country: oddly(fc.constantFrom('CO', 'VE')),
    country_code: oddly(fc.constantFrom(...COUNTRIES, 'ir', 'ZZ')),
    kyc_status: oddly(fc.constantFrom(...STATUSES, ' PENDING ')),
    amount: oddly(fc.constantFrom(0, 4_999, 5_000, 10_000_000, 60_000_000)),
    currency: oddly(fc.constantFrom(...CURRENCIES, 'cop', 'ZZZ')),
    economic_activity: oddly(fc.constantFrom('9200', '64', ['0111', '6499'])),
    city: oddly(fc.constantFrom('Cali', 'x', 3, true)),
    a: oddly(fc.constantFrom({ b: 3 }, { b: 'x' }, { c: 1 })),
    beneficial_owners: oddly(fc.constantFrom([], [{ name: 'x' }], [{}])),
  },
  { requiredKeys: [] },
);

const party: fc.Arbitrary<RelatedParty> = fc.record(
  {
    role: fc.constantFrom(...PARTY_ROLES),
    pointer: fc.constantFrom('/beneficial_owners/0', '/related_parties/1'),
    hits: fc.array(match, { maxLength: 2 }),
    nearMisses: fc.array(match, { maxLength: 1 }),
    countryCode: fc.constantFrom(...COUNTRIES),
    ownershipPercent: fc.constantFrom(0, 4.9, 5, 100),
  },
  { requiredKeys: ['role', 'pointer', 'hits', 'nearMisses'] },
);

export const randomFacts: fc.Arbitrary<Facts> = fc.record({
  subjectType: fc.constantFrom('natural' as const, 'legal' as const),
  payload: payload.map((members) => ({ ...members }) as SubjectPayload),
  screenedOn: fc.constant('2026-11-21'),
  hitThreshold: fc.constantFrom(0.8, 0.85),
  matches: fc.option<Facts['matches']>(matches),
  relatedParties: fc.option<Facts['relatedParties']>(fc.array(party, { maxLength: 3 })),
  fatf: fc.constantFrom<Facts['fatf']>({}, { KP: 'call_for_action', BO: 'increased_monitoring' }),
  history: fc.option<Facts['history']>(
    fc.record({
      decisions: fc.array(fc.record({ decision: fc.constantFrom(...DECISIONS), on: fc.constantFrom(...DAYS) }), {
        maxLength: 3,
      }),
      screenings: fc.array(fc.record({ on: fc.constantFrom(...DAYS) }), { maxLength: 3 }),
    }),
  ),
});
