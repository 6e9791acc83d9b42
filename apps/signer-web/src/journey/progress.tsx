import type { SignState } from '../api/sign-state.ts';
import { questionsOf } from '../fields/answers.ts';
import { useLanguage } from '../text/language.ts';
import { type Step, stepsOf } from './steps.ts';

/** Which step of how many this is. */
export function Progress({ state, step }: { state: SignState; step: Step }) {
  const { text } = useLanguage();
  const steps = stepsOf(state, questionsOf(state.fields).length > 0);
  const at = steps.indexOf(step);
  return (
    <nav className="progress" aria-label={text.steps.label}>
      <p>
        {text.steps.of(at + 1, steps.length)} <span aria-hidden="true">·</span> <strong>{text.steps[step]}</strong>
      </p>
      <ol>
        {steps.map((each, index) => (
          <li key={each} className={index <= at ? 'reached' : ''} aria-current={each === step ? 'step' : undefined}>
            <span>{text.steps[each]}</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
