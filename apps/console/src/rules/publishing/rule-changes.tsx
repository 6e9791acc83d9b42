import { Loaded } from '../../parts/loaded.tsx';
import { RulesDiff } from '../parts/rule-diff.tsx';
import { useRuleText } from '../text/language.ts';
import type { Comparison } from './use-comparison.ts';

/** What publishing would change in the rules that screenings use now. `first`: that there are none. */
export function RuleChanges({ of: comparison, first }: { of: Comparison; first: string }) {
  const { words, number } = useRuleText();
  return (
    <Loaded query={comparison}>
      {({ published, changes }) => {
        if (published !== null && changes.length === 0) return <p>{words.publish.same}</p>;
        return (
          <>
            <p>{published === null ? first : words.publish.replaces(number(published.version))}</p>
            <RulesDiff of={changes} />
          </>
        );
      }}
    </Loaded>
  );
}
