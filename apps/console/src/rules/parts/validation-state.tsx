import { State } from '@constancia/web';
import { VersionState } from '../../parts/version-state.tsx';
import type { Problem, Problems } from '../model/problems.ts';
import type { ValidationRow } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';

export function ValidationState({ of: { status } }: { of: Pick<ValidationRow, 'status'> }) {
  const { words } = useRuleText();
  return <VersionState of={status} words={words.statuses} />;
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
