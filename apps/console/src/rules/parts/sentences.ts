import type { ConditionNode, RuleNode } from '../model/edited-rule.ts';
import { predicateNamed } from '../model/predicates.ts';
import { shownValue } from '../model/typed-value.ts';
import { inForm, type ValueForm } from '../model/value-form.ts';
import { useRuleText } from '../text/language.ts';

/** Nodes and values in words. */
export function useSentences() {
  const { words, ofBoth, number, locale } = useRuleText();
  const { editor } = words;
  const memberOf = (name: string): string => (editor.members as Record<string, string>)[name] ?? name;
  const choiceOf = (value: string): string => (editor.choices as Record<string, string>)[value] ?? value;
  /** What it means that a member is left out; undefined: nothing. */
  const untickedOf = (name: string): string | undefined => (editor.all as Record<string, string>)[name];

  const partText = (name: string, form: ValueForm, part: unknown): string => {
    const text = part === undefined ? (untickedOf(name) ?? '') : valueText(form, part);
    return text === '' ? '' : `${memberOf(name).toLowerCase()} ${text}`;
  };
  /** As it is typed, so that different values read differently; options by their names. */
  const valueText = (form: ValueForm, raw: unknown): string => {
    if (raw === undefined || form.kind === 'none') return '';
    const value = inForm(form, raw);
    if (form.kind === 'choice') return choiceOf(shownValue('text', value, locale));
    if (form.kind === 'choices') return (value as unknown[]).map((item) => choiceOf(String(item))).join(', ');
    if (form.kind !== 'members') return shownValue(form.kind, value, locale);
    if (value === null || typeof value !== 'object') return shownValue('text', value, locale);
    const members = value as Record<string, unknown>;
    const known = form.members.map(([name]) => name);
    const parts = form.members.map(([name, member]) => partText(name, member, members[name]));
    const others = Object.entries(members).filter(([name]) => !known.includes(name));
    return [...parts, ...others.map(([name, part]) => `${name} ${JSON.stringify(part)}`)].filter(Boolean).join(', ');
  };
  const titleOf = ({ predicate }: ConditionNode): string => {
    const entry = predicateNamed(predicate);
    return entry === undefined ? predicate : ofBoth(entry.title);
  };
  /** What a question asks for; empty where it asks for nothing more. */
  const askedOf = ({ predicate, value }: ConditionNode): string =>
    valueText(predicateNamed(predicate)?.form ?? { kind: 'text' }, value);
  const sentenceOf = (node: RuleNode): string => {
    if (node.type === 'condition') return [titleOf(node), askedOf(node)].filter(Boolean).join(': ');
    const { decision, score, reason } = node;
    const parts = [decision && words.decisions[decision], score !== undefined && words.points(number(score)), reason];
    return parts.filter(Boolean).join(' · ') || editor.action;
  };
  return { memberOf, choiceOf, untickedOf, titleOf, askedOf, sentenceOf };
}
