import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { action, chainOf, condition, ruleOf } from '../facts.fixture.ts';
import type { Rule, RuleDefinition } from '../rule.ts';
import { lintDefinition, lintRule, lintRules } from './lint.ts';

const summaryOf = (problems: { pointer: string; code: string }[]) =>
  problems.map(({ pointer, code }) => `${pointer} ${code}`);
const errorsOf = (definition: unknown) => summaryOf(lintDefinition(definition).errors);
const warningsOf = (definition: unknown, rule: Partial<Rule> = {}) =>
  summaryOf(lintDefinition(definition, rule).warnings);
const c = (id: string) => condition(id, 'always');
const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0], to: pair[1] }));

describe('errors of a definition', () => {
  it.each<[string, unknown, string[]]>([
    ['a correct chain', chainOf(c('x'), action()), []],
    ['no definition', undefined, [' required']],
    ['a list', [], [' wrong_type']],
    ['nothing in it', {}, ['/nodes required', '/edges required']],
    ['an empty graph', { nodes: [], edges: [] }, ['/nodes no_action', '/nodes no_start']],
    ['an unknown member', { ...chainOf(action()), layout: 1 }, ['/layout unknown_member']],
    ['one id twice', { nodes: [c('x'), action('x')], edges: [] }, ['/nodes/1/id duplicate_node_id']],
    ['an id with a space', { nodes: [action('a b')], edges: [] }, ['/nodes/0/id value_out_of_range']],
    [
      'an odd node type',
      { nodes: [{ id: 'x', type: 'loop' }, action()], edges: [] },
      ['/nodes/0/type unknown_node_type'],
    ],
    ['a node that is none', { nodes: [null, action()], edges: [] }, ['/nodes/0 wrong_type']],
    ['an unknown predicate', chainOf(condition('x', 'age_gt', 1), action()), ['/nodes/0/predicate unknown_predicate']],
    ['an inherited predicate', chainOf(condition('x', 'toString'), action()), ['/nodes/0/predicate unknown_predicate']],
    ['an edge into nothing', { nodes: [action()], edges: [{ from: 'x', to: 'a' }] }, ['/edges/0/from dangling_edge']],
    [
      'an edge without ends',
      { nodes: [action()], edges: [{ from: 1 }] },
      ['/edges/0/from wrong_type', '/edges/0/to required'],
    ],
    [
      'when as a text',
      { ...chainOf(c('x'), action()), edges: [{ from: 'x', to: 'a', when: 'no' }] },
      ['/edges/0/when wrong_type'],
    ],
    ['a self loop', { nodes: [c('x'), action()], edges: edges('xa', 'xx') }, ['/edges/1 self_loop']],
    ['the same edge twice', { nodes: [c('x'), action()], edges: edges('xa', 'xa') }, ['/edges/1 duplicate_edge']],
    [
      'an edge from an action',
      { nodes: [action(), c('x')], edges: edges('ax') },
      ['/edges/0/from action_with_outgoing_edge'],
    ],
    ['no action', { nodes: [c('x')], edges: [] }, ['/nodes no_action']],
    [
      'a circle and nothing else',
      { nodes: [c('x'), c('y'), action()], edges: edges('xy', 'yx', 'ya') },
      [
        '/edges/1 cycle',
        '/nodes no_start',
        '/nodes/0 unreachable_node',
        '/nodes/1 unreachable_node',
        '/nodes/2 unreachable_node',
      ],
    ],
    [
      'an odd decision',
      { nodes: [action('a', { decision: 'deny' as never })], edges: [] },
      ['/nodes/0/decision value_out_of_range'],
    ],
    ['an odd score', { nodes: [action('a', { score: 1.5 })], edges: [] }, ['/nodes/0/score wrong_type']],
    ['a negative score', { nodes: [action('a', { score: -1 })], edges: [] }, ['/nodes/0/score value_out_of_range']],
    [
      'a reason of lines',
      { nodes: [action('a', { reason: 'a\nb' })], edges: [] },
      ['/nodes/0/reason value_out_of_range'],
    ],
  ])('%s', (_, definition, expected) => {
    expect(errorsOf(definition)).toEqual(expected);
  });

  it('come all at once', () => {
    const definition = {
      nodes: [
        condition('x', 'country_in', ['co', 'zz']),
        condition('x', 'currency_in', ['PES']),
        condition('y', 'on_restrictive_list', 'UN'),
        condition('z', 'subject_age_gte', 'old'),
        condition('u', 'amount_gte', -1),
        { id: 'v', type: 'group' },
        condition('w', 'nothing'),
        action('a', { decision: 'maybe' as never }),
      ],
      edges: edges('yz', 'zy', 'xx', 'xq', 'ax', 'ua', 'ua'),
    };
    const { errors } = lintDefinition(definition);
    expect(new Set(summaryOf(errors))).toEqual(
      new Set([
        '/nodes/0/value/1 unknown_country',
        '/nodes/1/id duplicate_node_id',
        '/nodes/1/value/0 unknown_currency',
        '/nodes/2/value unknown_list',
        '/nodes/3/value bad_value_type',
        '/nodes/4/value value_out_of_range',
        '/nodes/5/type unknown_node_type',
        '/nodes/6/predicate unknown_predicate',
        '/nodes/7/decision value_out_of_range',
        '/edges/1 cycle',
        '/edges/2 self_loop',
        '/edges/3/to dangling_edge',
        '/edges/4/from action_with_outgoing_edge',
        '/edges/6 duplicate_edge',
        '/nodes/2 unreachable_node',
        '/nodes/3 unreachable_node',
      ]),
    );
    expect(errors.find(({ code }) => code === 'cycle')?.detail).toContain('y → z → y');
  });

  it('name the path of every circle', () => {
    const nodes = [c('s'), c('1'), c('2'), c('3'), c('4'), action()];
    const { errors } = lintDefinition({ nodes, edges: edges('s1', '12', '23', '31', '34', '43', '4a') });
    expect(errors.map(({ detail }) => /: (.*)\.$/.exec(detail)?.[1])).toEqual(['1 → 2 → 3 → 1', '3 → 4 → 3']);
  });

  it('tell graphs that are too large', () => {
    const nodes = Array.from({ length: 201 }, (_, nth) => c(`n${nth}`));
    const many = Array.from({ length: 401 }, (_, nth) => ({ from: `n${nth % 200}`, to: `n${200 - (nth % 7)}` }));
    expect(errorsOf({ nodes, edges: many })).toEqual(['/nodes too_large', '/edges too_large']);
    const numbers = Array.from({ length: 500 }, (_, nth) => `${'9'.repeat(60)}${nth}`);
    const heavy = chainOf(
      condition('x', 'document_number_in', numbers),
      condition('y', 'document_number_in', numbers),
      action(),
    );
    expect(errorsOf(heavy)).toEqual([' too_large']);
    const fits = [...Array.from({ length: 199 }, (_, nth) => c(`n${nth}`)), action()];
    expect(errorsOf(chainOf(...fits))).toEqual([]);
  });

  it('are found in any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        for (const raw of [one, { nodes: one, edges: other }, { nodes: [one, other], edges: [other, one] }]) {
          expect(lintDefinition(raw).errors.length).toBeGreaterThan(0);
          expect(lintRule(raw).errors.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('warnings of a definition', () => {
  const age = (id: string, predicate: string, value: unknown) => condition(id, predicate, value);
  it.each<[string, RuleDefinition, Partial<Rule>, string[]]>([
    [
      'a condition that leads nowhere',
      { nodes: [c('x'), action()], edges: [] },
      {},
      ['/nodes/0 condition_without_edge', '/nodes/1 action_always_fires'],
    ],
    [
      'another decision than the severity',
      chainOf(c('x'), action('a', { decision: 'reject' })),
      { severity: 'review' },
      ['/nodes/1/decision action_decision_differs'],
    ],
    ['the same decision', chainOf(c('x'), action('a', { decision: 'reject' })), { severity: 'reject' }, []],
    [
      'ages apart',
      chainOf(age('x', 'subject_age_gte', 60), age('y', 'subject_age_lt', 18), action()),
      {},
      ['/nodes/1 contradictory_chain'],
    ],
    ['ages that meet', chainOf(age('x', 'subject_age_gte', 17), age('y', 'subject_age_lt', 18), action()), {}, []],
    [
      'reported once',
      chainOf(age('x', 'subject_age_gte', 60), age('y', 'subject_age_lt', 18), age('z', 'subject_age_lt', 9), action()),
      {},
      ['/nodes/1 contradictory_chain'],
    ],
    [
      'countries apart',
      chainOf(age('x', 'country_in', ['CO', 'VE']), age('y', 'country_not_in', ['VE', 'CO']), action()),
      {},
      ['/nodes/1 contradictory_chain'],
    ],
    [
      'countries that meet',
      chainOf(age('x', 'country_in', ['CO', 'VE']), age('y', 'country_not_in', ['VE']), action()),
      {},
      [],
    ],
    [
      'days apart',
      chainOf(age('x', 'birth_date_before', '2000-01-02'), age('y', 'birth_date_after', '2000-01-01'), action()),
      {},
      [],
    ],
    [
      'the other subject type',
      chainOf(age('x', 'subject_type_is', 'legal'), action()),
      { subject_type: 'natural' },
      ['/nodes/0 contradictory_chain'],
    ],
    ['amounts of any currency', chainOf(age('x', 'amount_gte', 5), action()), {}, ['/nodes/0 amount_without_currency']],
    [
      'amounts of a known currency',
      chainOf(age('x', 'currency_in', ['COP']), age('y', 'amount_gte', 5), action()),
      {},
      [],
    ],
    ['a currency asked later', chainOf(age('x', 'amount_gte', 5), age('y', 'currency_in', ['COP']), action()), {}, []],
    [
      'all currencies but one',
      chainOf(age('x', 'currency_not_in', ['COP']), age('y', 'amount_gte', 5), action()),
      {},
      ['/nodes/1 amount_without_currency'],
    ],
  ])('%s', (_, definition, rule, expected) => {
    expect(warningsOf(definition, rule)).toEqual(expected);
  });

  it('see what the false branch of a condition says', () => {
    const definition = (when: boolean): RuleDefinition => ({
      nodes: [
        condition('x', 'on_restrictive_list', ['OFAC', 'ONU']),
        condition('y', 'on_restrictive_list', 'OFAC'),
        action(),
      ],
      edges: [
        { from: 'x', to: 'y', when },
        { from: 'y', to: 'a' },
      ],
    });
    expect(warningsOf(definition(false))).toEqual(['/nodes/1 contradictory_chain']);
    expect(warningsOf(definition(true))).toEqual([]);
  });

  it('see opposite answers to a question that has no order', () => {
    const same = () => condition('x', 'list_program_in', ['SDGT']);
    const definition: RuleDefinition = {
      nodes: [same(), { ...same(), id: 'y' }, action()],
      edges: [
        { from: 'x', to: 'y', when: false },
        { from: 'y', to: 'a' },
      ],
    };
    expect(warningsOf(definition)).toEqual(['/nodes/1 contradictory_chain']);
  });

  it('leave alone what only one of several ways makes impossible', () => {
    const definition: RuleDefinition = {
      nodes: [
        condition('x', 'subject_age_gte', 60),
        condition('y', 'country_in', ['CO']),
        condition('z', 'subject_age_lt', 18),
        action(),
      ],
      edges: edges('xz', 'yz', 'za') as RuleDefinition['edges'],
    };
    expect(warningsOf(definition)).toEqual([]);
  });
});

describe('rules', () => {
  const over = (age: number, rule: Partial<Rule> = {}) =>
    ruleOf(chainOf(condition('x', 'subject_age_gte', age), action()), rule);

  it('report what is wrong with the rule and with its graph', () => {
    const rule = {
      code: 'A B',
      severity: 'deny',
      score: '1',
      description: 7,
      position: -1,
      definition: { nodes: [], edges: 0 },
    };
    expect(summaryOf(lintRule(rule).errors)).toEqual([
      '/code value_out_of_range',
      '/severity value_out_of_range',
      '/score wrong_type',
      '/subject_type required',
      '/description wrong_type',
      '/position value_out_of_range',
      '/definition/edges wrong_type',
      '/definition/nodes no_action',
      '/definition/nodes no_start',
    ]);
  });

  it('have codes of their own in a set', () => {
    const report = lintRules([over(1), over(99, { code: 'B' }), over(2)]);
    expect(summaryOf(report.errors)).toEqual(['/2/code duplicate_rule_code']);
  });

  it.each<[string, Rule[], string[]]>([
    ['narrower and no stronger', [over(60), over(70, { code: 'B' })], ['/1 rule_subsumed']],
    ['the wider one later', [over(70), over(60, { code: 'B' })], ['/0 rule_subsumed']],
    ['narrower and stronger', [over(60), over(70, { code: 'B', severity: 'reject' })], []],
    ['narrower with a higher score', [over(60), over(70, { code: 'B', score: 11 })], []],
    ['equal', [over(60), over(60, { code: 'B' })], ['/1 rule_subsumed']],
    ['for other subjects', [over(60, { subject_type: 'legal' }), over(70, { code: 'B', subject_type: 'natural' })], []],
    ['for all subjects', [over(60), over(70, { code: 'B', subject_type: 'natural' })], ['/1 rule_subsumed']],
    [
      'another question',
      [over(60), ruleOf(chainOf(condition('x', 'country_in', ['CO']), action()), { code: 'B' })],
      [],
    ],
    [
      'one more question',
      [
        over(60),
        ruleOf(chainOf(condition('y', 'country_in', ['CO']), condition('x', 'subject_age_gte', 65), action()), {
          code: 'B',
        }),
      ],
      ['/1 rule_subsumed'],
    ],
  ])('%s: %j', (_, rules, expected) => {
    expect(summaryOf(lintRules(rules).warnings)).toEqual(expected);
  });
});
