import { catalogue, predicateReference } from '@constancia/rule-graph';
import { describe, expect, it } from 'vitest';
import { type EditedRule, newRule } from './edited-rule.ts';
import { layoutOf } from './layout.ts';
import { problemsOf } from './problems.ts';
import { addAfter, addAlone, addBeside, connect, disconnect, removeNode } from './rule-edits.ts';
import { changedRules, differencesOf, isSameRule } from './rule-diff.ts';
import { formOf, inForm, shownValue, typedValue, type ValueForm } from './value-form.ts';

const RULE: EditedRule = { ...newRule(10), code: 'ABROAD' };
const { definition } = RULE;

describe('a change of a graph', () => {
  it('asks one more question before what followed, or another beside it that is enough', () => {
    const both = addAfter(definition, 'c1');
    expect([both.id, both.definition.edges]).toEqual([
      'c2',
      [
        { from: 'c1', to: 'c2' },
        { from: 'c2', to: 'a1' },
      ],
    ]);
    const either = addBeside(both.definition, 'c2');
    expect(either.definition.edges).toEqual([
      ...both.definition.edges,
      { from: 'c1', to: 'c3' },
      { from: 'c3', to: 'a1' },
    ]);
  });

  it('removes a question and leaves the way through it', () => {
    expect(removeNode(addAfter(definition, 'c1').definition, 'c2')).toEqual(definition);
    expect(removeNode(definition, 'a1').edges).toEqual([]);
  });

  it('connects once, and disconnects that alone', () => {
    const { id, definition: more } = addAlone(definition, 'action');
    const no = { from: 'c1', to: id, when: false };
    const connected = connect(connect(more, no), no);
    expect(connected.edges).toEqual([...definition.edges, no]);
    expect(disconnect(connected, no)).toEqual(more);
  });

  it('draws each node below what leads to it', () => {
    const places = layoutOf(addAfter(definition, 'c1').definition);
    const ys = ['c1', 'c2', 'a1'].map((id) => places.get(id)?.y as number);
    expect(ys).toEqual(ys.toSorted((one, other) => one - other));
    expect(new Set(ys).size).toBe(3);
  });
});

describe('the linter while somebody edits', () => {
  it('says what is wrong at the node or the member that it is about, and nothing of other rules', () => {
    const wrong: EditedRule = {
      ...RULE,
      code: 'A B',
      definition: {
        nodes: [{ id: 'c1', type: 'condition', predicate: 'country_in', value: ['ZZ'] }],
        edges: [{ from: 'c1', to: 'gone' }],
      },
    };
    const { errors, ofNode, ofMember, ofWhole } = problemsOf(wrong, [{ ...RULE, score: -1 }]);
    expect(ofNode.get('c1')?.map(({ code }) => code)).toEqual(['unknown_country', 'dangling_edge']);
    expect([...ofMember.keys()]).toEqual(['code']);
    expect(ofWhole.map(({ code }) => code)).toEqual(['no_action']);
    expect(errors).toBe(4);
  });

  it('knows the other rules of the validation', () => {
    expect(problemsOf(RULE, [RULE]).ofMember.get('code')?.[0]?.code).toBe('duplicate_rule_code');
    expect(problemsOf(RULE, []).errors).toBe(0);
  });
});

describe('the difference between two rules', () => {
  it('names members, nodes and ways; the order of members is none', () => {
    const changed: EditedRule = { ...RULE, score: 50, definition: addAfter(definition, 'c1').definition };
    expect(differencesOf(RULE, changed).map(({ of }) => of)).toEqual(['member', 'node', 'edge', 'edge', 'edge']);
    const nodes = definition.nodes.map((node) => Object.fromEntries(Object.entries(node).reverse())) as never;
    expect(isSameRule(RULE, { ...RULE, definition: { ...definition, nodes } })).toBe(true);
  });

  it('is found by the code in two sets', () => {
    const more: EditedRule = { ...RULE, code: 'MORE' };
    const all = changedRules([RULE, { ...RULE, code: 'GONE' }], [{ ...RULE, score: 1 }, more]);
    expect(all.map(({ code, before, after }) => [code, before !== null, after !== null])).toEqual([
      ['ABROAD', true, true],
      ['GONE', true, false],
      ['MORE', false, true],
    ]);
  });
});

describe('the value of a condition', () => {
  /** Through the form and back, as somebody who types the same again. */
  const retyped = (form: ValueForm, value: unknown): unknown => {
    if (form.kind === 'none' || form.kind === 'choice' || form.kind === 'choices') return value;
    if (form.kind !== 'members') return typedValue(form.kind, shownValue(form.kind, value));
    const given = value as Record<string, unknown>;
    const members = form.members.map(([name, member]) => [name, retyped(member, given[name])] as const);
    return Object.fromEntries(members.filter(([, each]) => each !== undefined));
  };

  it.each(predicateReference())('of $name can be entered as its example is', ({ value_schema, example }) => {
    const form = formOf(value_schema);
    expect(retyped(form, inForm(form, example))).toEqual(inForm(form, example));
  });

  it('of every canonical rule means the same in its form', () => {
    const forms = new Map(predicateReference().map(({ name, value_schema }) => [name as string, formOf(value_schema)]));
    for (const template of catalogue()) {
      const nodes = template.definition.nodes.map((node) =>
        node.type === 'condition' && node.value !== undefined
          ? { ...node, value: inForm(forms.get(node.predicate) as ValueForm, node.value) }
          : node,
      );
      const rule: EditedRule = {
        ...RULE,
        ...template,
        description: null,
        definition: { ...template.definition, nodes },
      };
      expect([template.code, problemsOf(rule, []).errors]).toEqual([template.code, 0]);
    }
  });

  it.each<[ValueForm['kind'], string, unknown]>([
    ['number', '', undefined],
    ['number', '12.5', 12.5],
    ['number', 'a lot', 'a lot'],
    ['scalar', '"5"', '5'],
    ['scalars', 'cash, 5, true', ['cash', 5, true]],
    ['texts', 'CO, , VE ', ['CO', 'VE']],
  ])('as %s of %j is %j', (kind, typed, value) => {
    expect(typedValue(kind, typed)).toEqual(value);
  });
});
