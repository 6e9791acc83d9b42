import { useHostPage } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import type { FormStep } from '../journey/steps.ts';

/** Where the reader is between reading and signing. The browser's way back leads to the previous step, not off the page;
 * in a frame it is that of the page that holds it. */
export function useFormStep(): [FormStep, (next: FormStep) => void] {
  const [step, setStep] = useState<FormStep>(() => formStepIn(history.state)); // after a reload: where one was
  useEffect(() => {
    const back = (event: PopStateEvent): void => setStep(formStepIn(event.state));
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);
  const framed = useHostPage() !== null;
  const go = useCallback(
    (next: FormStep) => {
      if (!framed) history.pushState({ step: next }, '');
      setStep(next);
    },
    [framed],
  );
  return [step, go];
}

function formStepIn(state: unknown): FormStep {
  const found = (state as { step?: unknown } | null)?.step;
  return found === 'fill' || found === 'sign' ? found : 'read';
}
