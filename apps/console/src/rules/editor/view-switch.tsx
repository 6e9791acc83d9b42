import { Link } from '@tanstack/react-router';
import { useRuleText } from '../text/language.ts';

/** The rule as a table or as a graph; both show what is being edited. */
export function ViewSwitch({ view }: { view: 'table' | 'graph' }) {
  const { words } = useRuleText();
  return (
    <nav className="views" aria-label={words.editor.view}>
      {(['table', 'graph'] as const).map((each) => (
        <Link
          key={each}
          from="/rules/$id/rule/$ruleId"
          to="."
          search={(now) => ({ ...now, view: each === 'table' ? undefined : each })}
          replace
          resetScroll={false}
          aria-current={view === each ? 'page' : undefined}
          className={view === each ? 'chosen' : ''}
        >
          {words.editor[each]}
        </Link>
      ))}
    </nav>
  );
}
