import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { action, chainOf, condition, factsOf, hit, ruleOf } from '../facts.fixture.ts';
import type { Facts } from '../facts.ts';
import type { Rule, RuleDefinition } from '../rule.ts';
import { PREDICATE_NAMES } from '../predicates/predicates.ts';
import { RulesInvalid, compileValidation } from './compile-validation.ts';
import { RANDOM_PREDICATES, randomFacts, randomRules } from './random.fixture.ts';
import { referenceEvaluation } from './reference.fixture.ts';

const evaluate = (definition: RuleDefinition, facts: Facts = factsOf(), rule: Partial<Rule> = {}) =>
  compileValidation([ruleOf(definition, rule)]).evaluate(facts);
const firedBy = (...rules: Rule[]) =>
  compileValidation(rules)
    .evaluate(factsOf())
    .findings.map(({ rule_code, node_id }) => `${rule_code} ${node_id}`);
const always = (id: string) => condition(id, 'always');
const young = condition('young', 'subject_age_lt', 18);

describe('a compiled validation', () => {
  it('approves with a score of 0 when nothing fires', () => {
    expect(compileValidation([]).evaluate(factsOf())).toEqual({
      decision: 'approve',
      score: 0,
      findings: [],
      list_hits: [],
      data_gaps: [],
    });
  });

  it('takes the most severe decision and the sum of the scores', () => {
    const rules = (['reject', 'approve', 'review'] as const).map((severity, nth) =>
      ruleOf(chainOf(always('x'), action()), { code: severity, severity, score: 60 + nth }),
    );
    expect(compileValidation(rules).evaluate(factsOf())).toMatchObject({ decision: 'reject', score: 183 });
  });

  it('lets an action override severity, score and reason', () => {
    const own = action('a', { decision: 'reject', score: 0, reason: 'why' });
    const [finding] = evaluate(chainOf(always('x'), own), factsOf(), { description: 'text' }).findings;
    expect(finding).toEqual({ rule_code: 'R-1', node_id: 'a', decision: 'reject', score: 0, reason: 'why' });
    expect(evaluate(chainOf(always('x'), action()), factsOf(), { description: 'text' }).findings).toEqual([
      { rule_code: 'R-1', node_id: 'a', decision: 'review', score: 10, reason: 'text' },
    ]);
    expect(evaluate(chainOf(always('x'), action())).findings[0]?.reason).toBe('R-1');
  });

  it('orders findings by position, code, and topological order with the written order as tie-break', () => {
    const fan = {
      nodes: [action('late'), action('z'), always('x'), action('y')],
      edges: [
        { from: 'x', to: 'y' },
        { from: 'x', to: 'late' },
        { from: 'x', to: 'z' },
      ],
    };
    const rules = [ruleOf(fan, { code: 'B' }), ruleOf(fan, { code: 'a' }), ruleOf(fan, { code: 'C', position: 0 })];
    const order = ['late', 'z', 'y'];
    expect(firedBy(...rules, ruleOf(fan, { code: 'A', position: 1 }))).toEqual(
      ['B', 'C', 'a', 'A'].flatMap((code) => order.map((node) => `${code} ${node}`)),
    );
  });

  it('fires an action once, however many ways lead to it', () => {
    const nodes = [always('x'), always('y'), action()];
    expect(evaluate({ nodes, edges: nodes.slice(0, 2).map(({ id }) => ({ from: id, to: 'a' })) }).score).toBe(10);
  });

  it('fires an action that nothing leads to', () => {
    expect(evaluate({ nodes: [action()], edges: [] }).findings).toHaveLength(1);
  });

  it('evaluates large graphs, whatever order they are written in', () => {
    const conditions = Array.from({ length: 150 }, (_, nth) =>
      nth === 90 ? condition('c90', 'field_present', 'city') : always(`c${nth}`),
    );
    const ids = conditions.map(({ id }) => id);
    const definition = (nth: (place: number) => number): RuleDefinition => {
      const nodes = [...conditions, ...Array.from({ length: 15 }, (_, tenth) => action(`a${tenth}`))];
      return {
        nodes: nodes.map((_, place) => nodes[nth(place) % nodes.length]!),
        edges: [
          ...ids.slice(1).map((to, place) => ({ from: ids[place]!, to })),
          ...Array.from({ length: 15 }, (_, tenth) => ({ from: `c${tenth * 10 + 9}`, to: `a${tenth}` })),
        ],
      };
    };
    for (const order of [(place: number) => place, (place: number) => place * 67 + 3, (place: number) => 164 - place]) {
      const rule = ruleOf(definition(order));
      const [some, all] = [factsOf(), factsOf({ payload: { city: 'Cali' } })].map((facts) => {
        expect(compileValidation([rule]).evaluate(facts)).toEqual(referenceEvaluation([rule], facts));
        return compileValidation([rule]).evaluate(facts).findings.length;
      });
      expect([some, all]).toEqual([9, 15]);
    }
  });

  it('follows no edge of a condition whose data is missing, and says so', () => {
    const either = {
      nodes: [young, action('yes'), action('no')],
      edges: [
        { from: 'young', to: 'yes' },
        { from: 'young', to: 'no', when: false },
      ],
    };
    expect(evaluate(either)).toMatchObject({
      decision: 'approve',
      findings: [],
      data_gaps: [{ field: 'subject_age', kind: 'missing' }],
    });
    expect(evaluate(either, factsOf({ payload: { subject_age: 20 } })).findings[0]?.node_id).toBe('no');
  });

  it('says nothing of data that no reached condition asked for', () => {
    const abroad = condition('abroad', 'country_not_in', ['CO']);
    const facts = factsOf({ payload: { country_code: 'CO' } });
    expect(evaluate(chainOf(abroad, young, action()), facts).data_gaps).toEqual([]);
  });

  it('goes by the birth date, and reports an age that contradicts it by more than a year', () => {
    const at = (birth_date: string, subject_age: number) =>
      evaluate(chainOf(young, action()), factsOf({ payload: { birth_date, subject_age } }));
    expect(at('2000-01-01', 12)).toMatchObject({
      findings: [],
      data_gaps: [{ field: 'subject_age', kind: 'conflict' }],
    });
    expect(at('2008-11-22', 18)).toMatchObject({ findings: [{}], data_gaps: [] });
    expect(at('2026-13-01', 12)).toMatchObject({
      findings: [{}],
      data_gaps: [{ field: 'birth_date', kind: 'invalid' }],
    });
  });

  it('names lists with a hit in their order, whatever the rules ask', () => {
    const facts = factsOf({
      payload: { country_code: 'ir' },
      fatf: { IR: 'call_for_action' },
      matches: { hits: [hit('INTERNAL'), hit('PEP'), hit('OFAC'), hit('PEP')], nearMisses: [hit('ONU', 0.7)] },
    });
    expect(compileValidation([]).evaluate(facts).list_hits).toEqual(['OFAC', 'PEP', 'FATF', 'INTERNAL']);
  });

  it('evaluates only rules of the subject type', () => {
    const definition = chainOf(always('x'), action());
    const rules = (['natural', 'legal', 'both'] as const).map((type) =>
      ruleOf(definition, { code: type, subject_type: type }),
    );
    const of = (subjectType: Facts['subjectType']) =>
      compileValidation(rules)
        .evaluate(factsOf({ subjectType }))
        .findings.map(({ rule_code }) => rule_code);
    expect([of('natural'), of('legal')]).toEqual([
      ['both', 'natural'],
      ['both', 'legal'],
    ]);
  });

  it('says what it needs to know', () => {
    const rules = [
      ruleOf(chainOf(condition('x', 'on_restrictive_list', ['onu', 'FATF']), action())),
      ruleOf(chainOf(condition('x', 'related_party_on_list', 'PEP'), action()), { code: 'B' }),
      ruleOf(chainOf(condition('x', 'prior_decision_in', { decisions: ['reject'], days: 90 }), action()), {
        code: 'C',
      }),
      ruleOf(chainOf(condition('x', 'prior_screenings_gte', { count: 3, days: 7 }), action()), { code: 'D' }),
    ];
    expect(compileValidation(rules).needs).toEqual({
      lists: ['ONU', 'FATF'],
      relatedLists: ['PEP'],
      fatf: true,
      decisionDays: 90,
      screeningDays: 7,
    });
    expect(compileValidation([]).needs).toEqual({
      lists: [],
      relatedLists: [],
      fatf: false,
      decisionDays: 0,
      screeningDays: 0,
    });
  });

  it('refuses rules that do not lint, with the report', () => {
    const broken = ruleOf(chainOf(condition('x', 'country_in', ['ZZ']), action()));
    expect(() => compileValidation([broken])).toThrow(RulesInvalid);
    try {
      compileValidation([broken]);
    } catch (error) {
      expect((error as RulesInvalid).report.errors).toMatchObject([
        { pointer: '/0/definition/nodes/0/value/0', code: 'unknown_country' },
      ]);
    }
  });

  it('answers the same as a plain interpreter of the rules, for random graphs and random facts', () => {
    fc.assert(
      fc.property(randomRules, fc.array(randomFacts, { minLength: 1, maxLength: 8 }), (rules, manyFacts) => {
        const compiled = compileValidation(rules);
        const again = compileValidation(rules.toReversed());
        for (const facts of manyFacts) {
          const stored = JSON.parse(JSON.stringify(facts)) as Facts;
          const evaluation = JSON.stringify(compiled.evaluate(facts));
          expect(evaluation).toBe(JSON.stringify(referenceEvaluation(rules, facts)));
          expect(JSON.stringify(again.evaluate(stored))).toBe(evaluation);
        }
      }),
      { numRuns: 150 },
    );
  }, 30_000);

  it('is compared on every predicate', () => {
    expect(RANDOM_PREDICATES.toSorted()).toEqual(PREDICATE_NAMES.toSorted());
  });

  it('never throws on odd payloads', () => {
    const compiled = compileValidation(
      fc
        .sample(randomRules, { numRuns: 20, seed: 7 })
        .flatMap((rules, nth) => rules.map((rule) => ({ ...rule, code: `${nth}-${rule.code}` }))),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('full_name', 'amount', 'birth_date', 'a', '__proto__'), fc.jsonValue()),
        (payload) => {
          const { decision } = compiled.evaluate(
            factsOf({ payload: JSON.parse(JSON.stringify(payload)) as Facts['payload'] }),
          );
          expect(['approve', 'review', 'reject']).toContain(decision);
        },
      ),
    );
  });
});
