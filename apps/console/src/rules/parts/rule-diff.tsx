import { State } from '@constancia/web';
import type { RuleEdge, RuleNode } from '../model/edited-rule.ts';
import { type ChangedRule, differencesOf, type Member, type RuleDifference } from '../model/rule-diff.ts';
import { useRuleText } from '../text/language.ts';
import { useSentences } from './sentences.ts';

/** What differs between two states of a rule, line by line; of an added or removed one everything. */
export function RuleDiff({ before, after }: Pick<ChangedRule, 'before' | 'after'>) {
  return (
    <ul className="diff">
      {differencesOf(before, after).map((difference, index) => (
        <li key={index}>
          <Difference of={difference} />
        </li>
      ))}
    </ul>
  );
}

/** What differs between two sets of rules. */
export function RulesDiff({ of: changes }: { of: readonly ChangedRule[] }) {
  const { words } = useRuleText();
  return (
    <ul className="rules">
      {changes.map(({ code, before, after }) => (
        <li key={code} className="card">
          <strong>{code}</strong>{' '}
          <State kind={before === null ? 'good' : after === null ? 'bad' : 'wait'}>
            {before === null ? words.diff.added : after === null ? words.diff.removed : words.diff.changed}
          </State>
          <RuleDiff before={before} after={after} />
        </li>
      ))}
    </ul>
  );
}

function Difference({ of: difference }: { of: RuleDifference }) {
  const { words } = useRuleText();
  const { sentenceOf } = useSentences();
  const shown = (name: Member, value: string): string => {
    const names: Record<string, string> =
      name === 'severity' ? words.decisions : name === 'subject_type' ? words.subjects : {};
    return names[value] ?? value;
  };
  const nodeText = (node: RuleNode | null): string => (node === null ? '' : sentenceOf(node));
  const names = {
    code: words.code,
    description: words.description,
    severity: words.editor.severity,
    score: words.editor.score,
    subject_type: words.subject,
    position: words.editor.position,
  };
  switch (difference.of) {
    case 'member':
      return (
        <BeforeAfter
          name={names[difference.name]}
          before={shown(difference.name, difference.before)}
          after={shown(difference.name, difference.after)}
        />
      );
    case 'node':
      return (
        <BeforeAfter name={difference.id} before={nodeText(difference.before)} after={nodeText(difference.after)} />
      );
    case 'edge':
      return difference.there ? (
        <BeforeAfter name={words.diff.wayAdded} before="" after={wayOf(difference.edge, words)} />
      ) : (
        <BeforeAfter name={words.diff.wayRemoved} before={wayOf(difference.edge, words)} after="" />
      );
  }
}

const wayOf = ({ from, to, when = true }: RuleEdge, { diff, graph }: ReturnType<typeof useRuleText>['words']): string =>
  diff.way(from, when ? graph.yes : graph.no, to);

function BeforeAfter({ name, before, after }: { name: string; before: string; after: string }) {
  return (
    <>
      <strong>{name}</strong> {before !== '' && <del>{before}</del>} {after !== '' && <ins>{after}</ins>}
    </>
  );
}
