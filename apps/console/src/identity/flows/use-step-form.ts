import { useEffect, useRef, useState } from 'react';
import { type FlowStep, stepsOf, type StepType } from './step-form.ts';

/** The form of a draft's steps: their order, what it says, and whether that was sent. */
export function useStepForm(stored: readonly FlowStep[]) {
  const form = useRef<HTMLFormElement>(null);
  const [order, setOrder] = useState<StepType[]>(() => stored.map(({ step_type }) => step_type));
  const kept = useRef('');
  const steps = (): FlowStep[] => (form.current === null ? [] : stepsOf(order, new FormData(form.current)));
  const keep = (sent: FlowStep[]): void => {
    kept.current = JSON.stringify(sent);
  };
  const isChanged = (): boolean => form.current !== null && JSON.stringify(steps()) !== kept.current;
  useEffect(() => keep(steps()), []); // as the form was opened
  return { form, order, setOrder, steps, isChanged, keep };
}
