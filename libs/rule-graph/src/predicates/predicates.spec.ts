import { describe, expect, it } from 'vitest';
import { compileValidation } from '../compile/compile-validation.ts';
import { action, condition, factsOf, hit, ruleOf } from '../facts.fixture.ts';
import type { Facts, ListMatch, RelatedParty, SubjectPayload } from '../facts.ts';
import { lintDefinition } from '../lint/lint.ts';
import type { RuleDefinition } from '../rule.ts';
import { PREDICATE_NAMES, predicateReference } from './predicates.ts';
import type { PredicateName } from './predicates.ts';

type Answer = true | false | string;

/** One condition, with an action behind either answer. */
const asking = (predicate: string, value?: unknown): RuleDefinition => ({
  nodes: [condition('c', predicate, value), action('yes'), action('no')],
  edges: [
    { from: 'c', to: 'yes' },
    { from: 'c', to: 'no', when: false },
  ],
});

/** True, false, or the gaps in words: `country_code missing`. */
function answerOf(predicate: string, value: unknown, facts: Facts): Answer {
  const { findings, data_gaps } = compileValidation([ruleOf(asking(predicate, value))]).evaluate(facts);
  const fired = findings.map(({ node_id }) => node_id);
  if (fired.length > 0) return fired[0] === 'yes' && fired.length === 1;
  return data_gaps.map(({ field, kind }) => `${field} ${kind}`).join(', ');
}

const given = (payload: SubjectPayload): Facts => factsOf({ payload });
/** A payload of the wrong type, as it may come from outside. */
const odd = (payload: Record<string, unknown>): Facts => factsOf({ payload: payload as SubjectPayload });
const matched = (...hits: ListMatch[]): Facts => factsOf({ matches: { hits, nearMisses: [] } });
const near = (score: number): Facts => factsOf({ matches: { hits: [], nearMisses: [hit('OFAC', score)] } });
const nameless = (facts: Partial<Facts> = {}): Facts =>
  factsOf({ ...facts, payload: { ...facts.payload, full_name: ' ' } });
const owner = (party: Partial<RelatedParty> = {}): RelatedParty => ({
  role: 'beneficial_owner',
  pointer: '/beneficial_owners/0',
  hits: [],
  nearMisses: [],
  ...party,
});
const withParties = (...relatedParties: RelatedParty[]): Facts => factsOf({ relatedParties });
const before = (...days: string[]): Facts =>
  factsOf({
    history: { decisions: days.map((on) => ({ decision: 'reject', on })), screenings: days.map((on) => ({ on })) },
  });
const unknown = factsOf({ history: null });
const nit = (document_number: string) => given({ document_type: 'NIT', document_number });
const NO_PARTY = 'beneficial_owners missing, legal_representative missing, related_parties missing';

type Example = [value: unknown, facts: Facts, answer: Answer];

const EXAMPLES: Record<PredicateName, Example[]> = {
  subject_age_gte: [
    [18, given({ subject_age: 18 }), true],
    [18, given({ subject_age: 17 }), false],
    [18, given({}), 'subject_age missing'],
    [18, odd({ subject_age: '18' }), 'subject_age invalid'],
    [18, given({ subject_age: 18.5 }), 'subject_age invalid'],
    [18, given({ subject_age: -1 }), 'subject_age invalid'],
    [18, given({ birth_date: '2008-11-21' }), true],
    [18, given({ birth_date: '2008-11-22' }), false],
    [18, given({ birth_date: '2027-01-01' }), 'birth_date invalid'],
    [18, given({ birth_date: '2008-02-30' }), 'birth_date invalid'],
    [18, odd({ birth_date: 20081121 }), 'birth_date invalid'],
  ],
  subject_age_lt: [
    [18, given({ subject_age: 17 }), true],
    [18, given({ subject_age: 18 }), false],
    [18, given({}), 'subject_age missing'],
    [18, odd({ subject_age: [] }), 'subject_age invalid'],
  ],
  subject_age_between: [
    [{ min: 60, max: 84 }, given({ subject_age: 84 }), true],
    [{ min: 60, max: 84 }, given({ subject_age: 85 }), false],
    [{ min: 60, max: 84 }, given({ subject_age: 59 }), false],
    [{ min: 60, max: 84 }, given({}), 'subject_age missing'],
    [{ min: 60, max: 84 }, given({ subject_age: 151 }), 'subject_age invalid'],
  ],
  birth_date_before: [
    ['1990-01-01', given({ birth_date: '1989-12-31' }), true],
    ['1990-01-01', given({ birth_date: '1990-01-01' }), false],
    ['1990-01-01', given({ subject_age: 50 }), 'birth_date missing'],
    ['1990-01-01', odd({ birth_date: true }), 'birth_date invalid'],
  ],
  birth_date_after: [
    ['1990-01-01', given({ birth_date: '1990-01-02' }), true],
    ['1990-01-01', given({ birth_date: '1990-01-01' }), false],
    ['1990-01-01', given({ birth_date: '' }), 'birth_date missing'],
    ['1990-01-01', given({ birth_date: '1990-1-2' }), 'birth_date invalid'],
  ],
  country_in: [
    [['kp', 'IR'], given({ country_code: 'KP' }), true],
    [['KP', 'IR'], given({ country_code: 'ir' }), true],
    [['KP'], given({ country_code: 'CO' }), false],
    [['KP'], given({}), 'country_code missing'],
    [['KP'], given({ country_code: 'UK' }), 'country_code invalid'],
    [['KP'], odd({ country_code: 7 }), 'country_code invalid'],
  ],
  country_not_in: [
    [['CO'], given({ country_code: 'PA' }), true],
    [['CO'], given({ country_code: 'CO' }), false],
    [['CO'], given({}), 'country_code missing'],
    [['CO'], odd({ country_code: { code: 'CO' } }), 'country_code invalid'],
  ],
  kyc_status_in: [
    [['Pending'], given({ kyc_status: ' PENDING ' }), true],
    [['pending'], given({ kyc_status: 'approved' }), false],
    [['pending'], given({}), 'kyc_status missing'],
    [['pending'], odd({ kyc_status: 1 }), 'kyc_status invalid'],
  ],
  kyc_status_not_in: [
    [['approved'], given({ kyc_status: 'pending' }), true],
    [['approved'], given({ kyc_status: 'Approved' }), false],
    [['approved'], odd({ kyc_status: null }), 'kyc_status missing'],
    [['approved'], odd({ kyc_status: [] }), 'kyc_status invalid'],
  ],
  subject_type_is: [
    ['natural', given({}), true],
    ['legal', given({}), false],
    ['legal', factsOf({ subjectType: 'legal' }), true],
  ],
  document_type_in: [
    [['pa'], given({ document_type: 'PA' }), true],
    [['PA'], given({ document_type: 'cc' }), false],
    [['PA'], given({}), 'document_type missing'],
    [['PA'], odd({ document_type: 3 }), 'document_type invalid'],
  ],
  document_number_in: [
    [['79.123.456'], given({ document_number: '79123456' }), true],
    [['79123456'], given({ document_number: '79123457' }), false],
    [['900123456'], nit('900.123.456-8'), true],
    [['900123456-8'], nit('900123456'), true],
    [['900123456-8'], given({ document_type: 'CC', document_number: '900123456' }), false],
    [['1'], given({}), 'document_number missing'],
    [['1'], odd({ document_number: 1 }), 'document_number invalid'],
  ],
  document_check_failed: [
    [undefined, nit('900123456-1'), 'country_code missing'],
    [undefined, given({ document_type: 'CC', document_number: '123456789', country_code: 'CO' }), true],
    [true, given({ document_type: 'cc', document_number: '79123456', country_code: 'CO' }), false],
    [null, given({ document_type: 'CE', document_number: '123456789', country_code: 'VE' }), true],
    [undefined, given({ document_type: 'CE', document_number: '654321' }), false],
    [undefined, given({ document_type: 'CC', document_number: '123456789', country_code: 'VE' }), false],
    [
      undefined,
      given({ document_type: 'CC', document_number: '123456789', country_code: 'VE', document_country: 'co' }),
      true,
    ],
    [
      undefined,
      given({ document_type: 'CC', document_number: '1', document_country: 'XX' }),
      'document_country invalid',
    ],
    [undefined, given({}), 'document_number missing, document_type missing'],
    [undefined, given({ document_type: 'DNI', document_number: '1' }), 'document_type invalid'],
    [undefined, odd({ document_type: 'CC', document_number: 123 }), 'document_number invalid'],
  ],
  economic_activity_in: [
    [['6499'], given({ economic_activity: '6499' }), true],
    [['92'], given({ economic_activity: ['0111', '9200'] }), true],
    [['92'], given({ economic_activity: '6499' }), false],
    [['92'], given({ economic_activity: [] }), 'economic_activity missing'],
    [['92'], given({ economic_activity: 9200 }), 'economic_activity invalid'],
    [['92'], given({ economic_activity: 'banking' }), 'economic_activity invalid'],
  ],
  amount_gte: [
    [100, given({ amount: 100 }), true],
    [100, given({ amount: 99.99 }), false],
    [100, given({}), 'amount missing'],
    [100, odd({ amount: '100' }), 'amount invalid'],
    [100, given({ amount: -5 }), 'amount invalid'],
    [100, given({ amount: Number.NaN }), 'amount invalid'],
  ],
  amount_lt: [
    [100, given({ amount: 0 }), true],
    [100, given({ amount: 100 }), false],
    [100, odd({ amount: null }), 'amount missing'],
    [100, odd({ amount: {} }), 'amount invalid'],
  ],
  amount_between: [
    [{ min: 10, max: 20 }, given({ amount: 20 }), true],
    [{ min: 10, max: 20 }, given({ amount: 20.01 }), false],
    [{ min: 10, max: 20 }, given({}), 'amount missing'],
    [{ min: 10, max: 20 }, odd({ amount: true }), 'amount invalid'],
  ],
  currency_in: [
    [['cop'], given({ currency: 'COP' }), true],
    [['COP'], given({ currency: 'usd' }), false],
    [['COP'], given({}), 'currency missing'],
    [['COP'], given({ currency: 'PESO' }), 'currency invalid'],
  ],
  currency_not_in: [
    [['COP'], given({ currency: 'USD' }), true],
    [['COP'], given({ currency: 'COP' }), false],
    [['COP'], given({ currency: '' }), 'currency missing'],
    [['COP'], odd({ currency: 170 }), 'currency invalid'],
  ],
  on_restrictive_list: [
    ['ofac', matched(hit('OFAC')), true],
    [['OFAC', 'ONU'], matched(hit('ONU')), true],
    ['INTERNAL', matched(hit('INTERNAL')), true],
    ['ONU', matched(hit('OFAC')), false],
    ['OFAC', near(0.8), false],
    ['OFAC', factsOf({ matches: null }), 'full_name missing'],
    ['OFAC', nameless(), 'full_name missing'],
    ['OFAC', odd({ full_name: 7 }), 'full_name invalid'],
    ['OFAC', nameless({ matches: { hits: [hit('OFAC')], nearMisses: [] } }), true],
    ['FATF', factsOf({ payload: { country_code: 'kp' }, fatf: { KP: 'call_for_action' } }), true],
    ['FATF', given({ country_code: 'CO' }), false],
    ['FATF', given({}), 'country_code missing'],
    [['FATF', 'PEP'], nameless(), 'country_code missing, full_name missing'],
  ],
  list_match_score_gte: [
    [0.8, near(0.8), true],
    [0.8, near(0.79), false],
    [0.8, matched(hit('PEP', 0.99)), true],
    [{ min: 0.8, lists: ['PEP'] }, near(0.84), false],
    [0.8, nameless(), 'full_name missing'],
    [0.8, odd({ full_name: {} }), 'full_name invalid'],
  ],
  list_match_score_between: [
    [{ min: 0.75, max: 'hit_threshold' }, near(0.75), true],
    [{ min: 0.75, max: 'hit_threshold' }, near(0.849), true],
    [{ min: 0.75, max: 'hit_threshold' }, near(0.85), false],
    [{ min: 0.75, max: 0.8, lists: ['OFAC'] }, near(0.8), false],
    [{ min: 0.75, max: 1, lists: ['PEP'] }, near(0.8), false],
    [{ min: 0.75, max: 0.8 }, nameless(), 'full_name missing'],
    [{ min: 0.75, max: 0.8 }, odd({ full_name: true }), 'full_name invalid'],
  ],
  list_program_in: [
    [['sdgt'], matched(hit('OFAC', 0.9, ['SDNTK', 'SDGT'])), true],
    [['TERR'], matched(hit('EU_SANCTIONS', 0.9, [' terr '])), true],
    [['SDGT'], matched(hit('OFAC', 0.9, ['SDNTK'])), false],
    [['SDGT'], nameless(), 'full_name missing'],
    [['SDGT'], odd({ full_name: [1] }), 'full_name invalid'],
  ],
  list_hit_count_gte: [
    [2, matched(hit('OFAC'), hit('OFAC')), true],
    [2, factsOf({ ...matched(hit('OFAC')), payload: { country_code: 'MM' }, fatf: { MM: 'call_for_action' } }), true],
    [{ count: 1, lists: ['PEP'] }, matched(hit('OFAC')), false],
    [{ count: 2, lists: ['OFAC'] }, matched(hit('OFAC')), false],
    [{ count: 1, lists: ['OFAC'] }, nameless(), 'full_name missing'],
    [{ count: 1, lists: ['FATF'] }, odd({ country_code: 'Narnia' }), 'country_code invalid'],
  ],
  fatf_status_in: [
    [['call_for_action'], factsOf({ payload: { country_code: 'IR' }, fatf: { IR: 'call_for_action' } }), true],
    [['call_for_action'], factsOf({ payload: { country_code: 'BO' }, fatf: { BO: 'increased_monitoring' } }), false],
    [['increased_monitoring'], given({ country_code: 'CO' }), false],
    [['increased_monitoring'], given({}), 'country_code missing'],
    [['increased_monitoring'], odd({ country_code: '__proto__' }), 'country_code invalid'],
  ],
  related_party_on_list: [
    ['PEP', withParties(owner(), owner({ hits: [hit('PEP')] })), true],
    [['ONU', 'OFAC'], withParties(owner({ hits: [hit('PEP')] })), false],
    ['FATF', factsOf({ relatedParties: [owner({ countryCode: 'IR' })], fatf: { IR: 'call_for_action' } }), true],
    [
      { lists: ['PEP'], roles: ['legal_representative'] },
      withParties(owner({ hits: [hit('PEP')] })),
      'legal_representative missing',
    ],
    [
      { lists: ['PEP'], min_ownership_percent: 5 },
      withParties(owner({ ownershipPercent: 4.9, hits: [hit('PEP')] })),
      false,
    ],
    [{ lists: ['PEP'], min_ownership_percent: 5 }, withParties(owner({ hits: [hit('PEP')] })), true],
    ['PEP', factsOf({ relatedParties: null }), NO_PARTY],
    ['PEP', withParties(), NO_PARTY],
  ],
  related_party_country_in: [
    [['ve'], withParties(owner({ countryCode: 'CO' }), owner({ countryCode: 'VE' })), true],
    [['VE'], withParties(owner({ countryCode: 'CO' })), false],
    [['VE'], withParties(owner({ countryCode: 'CO' }), owner()), 'beneficial_owners.0.country_code missing'],
    [['VE'], given({}), NO_PARTY],
  ],
  field_present: [
    ['city', given({ city: 'Cali' }), true],
    ['owner.0.name', given({ owner: [{ name: 'x' }] }), true],
    ['city', given({ city: ' ' }), false],
    ['toString', given({}), false],
    ['city.length', given({ city: 'Cali' }), false],
    ['owner.length', given({ owner: [1] }), false],
  ],
  field_missing: [
    ['city', given({}), true],
    ['city', given({ city: null }), true],
    ['owners', given({ owners: [] }), true],
    ['owners', given({ owners: {} }), true],
    ['zero', given({ zero: 0 }), false],
    ['no', given({ no: false }), false],
  ],
  field_equals: [
    [{ field: 'channel', equals: 'cash' }, given({ channel: 'cash' }), true],
    [{ field: 'channel', equals: 'cash' }, given({ channel: 'Cash' }), false],
    [{ field: 'a.b', equals: 3 }, given({ a: { b: 3 } }), true],
    [{ field: 'channel', equals: 'cash' }, given({}), 'channel missing'],
    [{ field: 'count', equals: 3 }, given({ count: '3' }), 'count invalid'],
    [{ field: 'flag', equals: false }, given({ flag: false }), true],
  ],
  field_in: [
    [{ field: 'product', in: ['crypto', 7] }, given({ product: 7 }), true],
    [{ field: 'product', in: ['crypto'] }, given({ product: 'loan' }), false],
    [{ field: 'a.0.b', in: ['x'] }, given({ a: [] }), 'a.0.b missing'],
    [{ field: 'product', in: ['crypto'] }, given({ product: ['crypto'] }), 'product invalid'],
  ],
  prior_decision_in: [
    [{ decisions: ['reject'], days: 30 }, before('2026-10-22'), true],
    [{ decisions: ['reject'], days: 30 }, before('2026-10-21'), false],
    [{ decisions: ['review'], days: 30 }, before('2026-11-20'), false],
    [{ decisions: ['review'], days: 30 }, unknown, 'subject_ref missing'],
  ],
  prior_screenings_gte: [
    [{ count: 2, days: 7 }, before('2026-11-21', '2026-11-14'), true],
    [{ count: 2, days: 7 }, before('2026-11-21', '2026-11-13'), false],
    [{ count: 2, days: 7 }, unknown, 'subject_ref missing'],
  ],
  always: [
    [undefined, nameless({ matches: null }), true],
    [true, given({}), true],
  ],
};

describe.each(PREDICATE_NAMES)('%s', (name) => {
  it('is tried true, and false where it can be', () => {
    const answers = EXAMPLES[name].map(([, , answer]) => answer);
    expect(answers).toContain(true);
    if (name !== 'always') expect(answers).toContain(false);
  });

  it.each(EXAMPLES[name])('of %j', (value, facts, answer) => {
    expect(answerOf(name, value, facts)).toBe(answer);
  });

  it('has an example that lints, and texts in both languages', () => {
    const entry = predicateReference().find((each) => each.name === name);
    expect(lintDefinition(asking(name, entry?.example)).errors).toEqual([]);
    expect(entry?.title.es).not.toBe(entry?.title.en);
  });
});

describe('values of conditions', () => {
  it.each<[PredicateName, unknown, string]>([
    ['subject_age_gte', '18', ' bad_value_type'],
    ['subject_age_gte', 18.5, ' bad_value_type'],
    ['subject_age_gte', -1, ' value_out_of_range'],
    ['subject_age_gte', undefined, ' bad_value_type'],
    ['subject_age_lt', 151, ' value_out_of_range'],
    ['subject_age_between', [18, 60], ' bad_value_type'],
    ['subject_age_between', { min: 60, max: 18 }, ' value_out_of_range'],
    ['subject_age_between', { min: 60 }, '/max bad_value_type'],
    ['subject_age_between', { min: 60, max: 70, step: 1 }, '/step bad_value_type'],
    ['birth_date_before', '2026-02-30', ' value_out_of_range'],
    ['birth_date_after', 2026, ' bad_value_type'],
    ['country_in', 'CO', ' bad_value_type'],
    ['country_in', [], ' value_out_of_range'],
    ['country_in', ['CO', 'UK', 'ZZ'], '/1 unknown_country,/2 unknown_country'],
    ['country_not_in', [57], '/0 bad_value_type'],
    ['country_in', Array.from({ length: 501 }, () => 'CO'), ' value_out_of_range'],
    ['kyc_status_in', ['with space'], '/0 value_out_of_range'],
    ['kyc_status_not_in', { status: 'x' }, ' bad_value_type'],
    ['subject_type_is', 'both', ' value_out_of_range'],
    ['document_type_in', ['DNI'], '/0 value_out_of_range'],
    ['document_number_in', [79123456], '/0 bad_value_type'],
    ['document_check_failed', false, ' bad_value_type'],
    ['economic_activity_in', ['A'], '/0 value_out_of_range'],
    ['amount_gte', '10', ' bad_value_type'],
    ['amount_gte', Number.POSITIVE_INFINITY, ' bad_value_type'],
    ['amount_lt', -1, ' value_out_of_range'],
    ['amount_between', { min: 2, max: 1 }, ' value_out_of_range'],
    ['currency_in', ['PESOS'], '/0 unknown_currency'],
    ['currency_not_in', ['COP', 'XXX'], '/1 unknown_currency'],
    ['on_restrictive_list', 'CLINTON', ' unknown_list'],
    ['on_restrictive_list', ['OFAC', 'UN'], '/1 unknown_list'],
    ['on_restrictive_list', { lists: ['OFAC'] }, ' bad_value_type'],
    ['on_restrictive_list', undefined, ' bad_value_type'],
    ['list_match_score_gte', 85, ' value_out_of_range'],
    ['list_match_score_gte', { min: 0.8, lists: ['X'] }, '/lists/0 unknown_list'],
    ['list_match_score_between', { min: 0.8, max: 'threshold' }, '/max bad_value_type'],
    ['list_match_score_between', { min: 0.8, max: 0.7 }, ' value_out_of_range'],
    ['list_program_in', ['a\u0000'], '/0 value_out_of_range'],
    ['list_hit_count_gte', 0, ' value_out_of_range'],
    ['fatf_status_in', ['grey'], '/0 value_out_of_range'],
    ['related_party_on_list', { lists: ['UN'], roles: ['boss'] }, '/lists/0 unknown_list,/roles/0 value_out_of_range'],
    ['related_party_country_in', ['XX'], '/0 unknown_country'],
    ['field_present', '__proto__', ' value_out_of_range'],
    ['field_missing', 'a.constructor.b', ' value_out_of_range'],
    ['field_equals', { field: 'a.prototype', equals: 1 }, '/field value_out_of_range'],
    ['field_equals', { field: 'a', equals: null }, '/equals bad_value_type'],
    ['field_in', { field: 'a' }, '/in bad_value_type'],
    ['field_in', { field: 'a..b', in: [1] }, '/field value_out_of_range'],
    ['prior_decision_in', { decisions: ['ok'], days: 0 }, '/decisions/0 value_out_of_range,/days value_out_of_range'],
    ['prior_screenings_gte', { count: 1.5, days: 9 }, '/count bad_value_type'],
    ['always', 'yes', ' bad_value_type'],
  ])('%s of %j: %s', (name, value, expected) => {
    const { errors } = lintDefinition(asking(name, value));
    const reported = errors.map(({ pointer, code }) => `${pointer.replace('/nodes/0/value', '')} ${code}`);
    expect(reported.join(',')).toBe(expected);
  });
});
