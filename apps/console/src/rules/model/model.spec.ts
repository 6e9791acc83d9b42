import { catalogue, predicateReference } from '@constancia/rule-graph';
import { describe, expect, it } from 'vitest';
import { type EditedRule, newRule } from './edited-rule.ts';
import { layoutOf } from './layout.ts';
import { problemsOf } from './problems.ts';
import {
  addAfter,
  addAlone,
  addAlternative,
  connect,
  disconnect,
  leftBehind,
  removeNode,
  unconditionalIn,
} from './rule-edits.ts';
import { changedRules, differencesOf, isSameRule } from './rule-diff.ts';
import { shownValue, typedValue } from './typed-value.ts';
import { formOf, inForm, type ValueForm } from './value-form.ts';

const RULE: EditedRule = { ...newRule(10), code: 'ABROAD' };
const { definition } = RULE;

describe('a change of a graph', () => {
  it('adds a question in front of what followed, or an alternative to it', () => {
    const both = addAfter(definition, 'c1');
    expect([both.id, both.definition.edges]).toEqual([
      'c2',
      [
        { from: 'c1', to: 'c2' },
        { from: 'c2', to: 'a1' },
      ],
    ]);
    const either = addAlternative(both.definition, 'c2');
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

  it('removes one of two alternatives without a short cut around the other', () => {
    const both = addAfter(definition, 'c1').definition;
    expect(removeNode(addAlternative(both, 'c2').definition, 'c3')).toEqual(both);
  });

  it('shows which outcomes no question leads to any more', () => {
    expect(unconditionalIn(definition)).toEqual([]);
    expect(unconditionalIn(removeNode(definition, 'c1'))).toEqual(['a1']);
    expect(unconditionalIn(disconnect(definition, { from: 'c1', to: 'a1' }))).toEqual(['a1']);
    expect(unconditionalIn(addAlone(definition, 'action').definition)).toEqual(['a2']);
  });

  it('leaves behind what a question led to only when it was not true', () => {
    const { nodes } = definition;
    const no = { nodes, edges: [{ from: 'c1', to: 'a1', when: false }] };
    expect([leftBehind(no, 'c1'), leftBehind(definition, 'c1')]).toEqual([['a1'], []]);
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

  it('of a rule that was not there is all of it', () => {
    expect(differencesOf(null, RULE).map(({ of }) => of)).toEqual([
      ...['code', 'severity', 'score', 'subject_type', 'position'].map(() => 'member'),
      ...['node', 'node', 'edge'],
    ]);
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
    if (form.kind !== 'members') return typedValue(form.kind, shownValue(form.kind, value, 'es-CO'), 'es-CO');
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

  it.each<[kind: ValueForm['kind'], typed: string, es: unknown, en?: unknown]>([
    ['number', '', undefined],
    ['number', '50000', 50000],
    ['number', '12.5', 12.5],
    ['number', '12,5', 12.5],
    ['number', '0.125', 0.125],
    ['number', '12,125', 12.125, '12,125'],
    ['number', '50.000', '50.000', 50],
    ['number', '1.000.000', '1.000.000'],
    ['number', '1e3', '1e3'],
    ['number', '0x10', '0x10'],
    ['number', '0123', '0123'],
    ['number', '1234567890123456', '1234567890123456'],
    ['number', 'a lot', 'a lot'],
    ['scalar', '"5"', '5'],
    ['scalar', '5', 5],
    ['scalar', '50.000', '50.000'],
    ['scalar', '0123', '0123'],
    ['scalar', '1e3', '1e3'],
    ['scalar', '1234567890123456', '1234567890123456'],
    ['scalars', 'cash, 5, true', ['cash', 5, true]],
    ['scalars', '"cash, cheque", "true"', ['cash, cheque', 'true']],
    ['texts', 'CO, , VE ', ['CO', 'VE']],
    ['texts', '"Pérez, Ana", " b", "say ""hi"""', ['Pérez, Ana', ' b', 'say "hi"']],
  ])('as %s of %j is %j', (kind, typed, es, en = es) => {
    expect([typedValue(kind, typed, 'es-CO'), typedValue(kind, typed, 'en')]).toEqual([es, en]);
  });

  it.each<[kind: ValueForm['kind'], value: unknown]>([
    ['number', 50000],
    ['number', 12.125],
    ['scalar', '5'],
    ['scalar', '50.000'],
    ['scalar', 12.125],
    ['scalar', 'say "hi"'],
    ['scalars', ['a, b', ' c', '"d"', '', '1', 1, true, 'true']],
    ['texts', ['a, b', ' c', '"d"']],
  ])('as %s of %j comes back as it was', (kind, value) => {
    for (const locale of ['es-CO', 'en'] as const) {
      expect(typedValue(kind, shownValue(kind, value, locale), locale)).toEqual(value);
    }
  });

  it('is one of the options in whatever case it was written; what is none stays', () => {
    const form: ValueForm = { kind: 'choices', options: ['OFAC', 'PEP'] };
    expect(inForm(form, ['ofac', 'other', 7])).toEqual(['OFAC', 'other', 7]);
  });
});
