import type { ConditionNode, RuleNode } from '../model/edited-rule.ts';
import { predicateNamed } from '../model/predicates.ts';
import { shownValue } from '../model/value-form.ts';
import { useRuleText } from '../text/language.ts';

/** Nodes and values in words. */
export function useSentences() {
  const { words, ofBoth, number } = useRuleText();
  const memberOf = (name: string): string => (words.editor.members as Record<string, string>)[name] ?? name;
  const choiceOf = (value: string): string => (words.editor.choices as Record<string, string>)[value] ?? value;

  const valueText = (value: unknown): string => {
    if (value === undefined || value === null || value === true) return '';
    if (typeof value === 'number') return number(value);
    if (Array.isArray(value))
      return value.map((item) => (typeof item === 'string' ? choiceOf(item) : String(item))).join(', ');
    if (typeof value !== 'object') return choiceOf(shownValue('text', value));
    return Object.entries(value)
      .map(([name, part]) => `${memberOf(name).toLowerCase()} ${valueText(part)}`)
      .join(', ');
  };
  const titleOf = ({ predicate }: ConditionNode): string => {
    const entry = predicateNamed(predicate);
    return entry === undefined ? predicate : ofBoth(entry.title);
  };
  const sentenceOf = (node: RuleNode): string => {
    if (node.type === 'condition') return [titleOf(node), valueText(node.value)].filter(Boolean).join(': ');
    const { decision, score, reason } = node;
    const parts = [decision && words.decisions[decision], score !== undefined && words.points(number(score)), reason];
    return parts.filter(Boolean).join(' · ') || words.editor.action;
  };
  return { memberOf, choiceOf, valueText, titleOf, sentenceOf };
}
