import { State } from '@constancia/web';
import { VersionState } from '../../parts/version-state.tsx';
import type { Problem, Problems } from '../model/problems.ts';
import type { ValidationRow } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';

/** The status; of a draft that one of two people published, what it waits for. */
export function ValidationState({ of }: { of: Pick<ValidationRow, 'status' | 'published_first_by'> }) {
  const { words } = useRuleText();
  const draft = of.published_first_by === null ? words.statuses.draft : words.approvedOnce;
  return <VersionState of={of.status} words={{ ...words.statuses, draft }} />;
}

/** How much the linter found. */
export function ProblemCount({ of: { errors, warnings } }: { of: Pick<Problems, 'errors' | 'warnings'> }) {
  const { words, number } = useRuleText();
  if (errors > 0) return <State kind="bad">{words.errors(number(errors))}</State>;
  if (warnings > 0) return <State kind="wait">{words.warnings(number(warnings))}</State>;
  return <State kind="good">{words.noProblems}</State>;
}

/** What the linter found here, in words. */
export function ProblemList({ of: problems, id }: { of: readonly Problem[] | undefined; id?: string }) {
  const { words, problemText } = useRuleText();
  if (problems === undefined || problems.length === 0) return null;
  return (
    <ul className="problems" id={id}>
      {problems.map((problem, index) => (
        <li key={index} className={problem.level}>
          <strong>{words[problem.level]}:</strong> {problemText(problem)}
        </li>
      ))}
    </ul>
  );
}
