import { Button, FieldFaults, Notice, useAnnounce } from '@constancia/web';
import { useEffect, useRef, useState } from 'react';
import { type FlowStep, STEP_TYPES, type StepFaults, type StepType } from './step-form.ts';
import { StepOptions } from './step-options.tsx';
import { useFlowText } from './text/language.ts';

interface StepListProps {
  order: readonly StepType[];
  /** What the draft has; a step that is added begins with the defaults. */
  known: readonly FlowStep[];
  faults: StepFaults;
  onOrder: (order: StepType[]) => void;
}

/** The steps of a draft in their order: each may be moved, removed and added, and has its options. */
export function StepList({ order, known, faults, onOrder }: StepListProps) {
  const { words, identity, number } = useFlowText();
  const announce = useAnnounce();
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ step: StepType; by: -1 | 1 } | null>(null);

  // React takes the card out and puts it back: the focus goes back to the button, or to the other one at an end of the list.
  useEffect(() => {
    if (moved === null) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(
      `[data-step="${moved.step}"] .row-actions button`,
    );
    const [up, down] = [...(buttons ?? [])];
    const [same, other] = moved.by === -1 ? [up, down] : [down, up];
    (same?.disabled === true ? other : same)?.focus();
  }, [moved]);

  const move = (at: number, by: -1 | 1): void => {
    const step = order[at] as StepType;
    onOrder(order.toSpliced(at, 1).toSpliced(at + by, 0, step));
    setMoved({ step, by });
    announce(words.moved(identity.steps[step], number(at + by + 1)));
  };

  const add = (step: StepType): void => {
    onOrder([...order, step]);
    setMoved({ step, by: -1 });
  };
  const remove = (at: number): void => {
    onOrder(order.toSpliced(at, 1));
    requestAnimationFrame(() => list.current?.parentElement?.querySelector<HTMLElement>('.add-steps button')?.focus());
  };

  return (
    <FieldFaults value={faults.fields}>
      {faults.all !== null && <Notice tone="error">{faults.all}</Notice>}
      <ol className="flow-steps" ref={list}>
        {order.map((step, at) => {
          const name = identity.steps[step];
          return (
            <li key={step} className="card" data-step={step}>
              <div className="page-head">
                <h2>{words.stepOf(number(at + 1), name)}</h2>
                <div className="row-actions">
                  <Button look="quiet" label={words.upOf(name)} disabled={at === 0} onPress={() => move(at, -1)}>
                    {words.up}
                  </Button>
                  <Button
                    look="quiet"
                    label={words.downOf(name)}
                    disabled={at === order.length - 1}
                    onPress={() => move(at, 1)}
                  >
                    {words.down}
                  </Button>
                  <Button
                    look="quiet"
                    label={words.removeOf(name)}
                    disabled={order.length === 1}
                    onPress={() => remove(at)}
                  >
                    {words.remove}
                  </Button>
                </div>
              </div>
              {faults.steps[step] !== undefined && <Notice tone="error">{faults.steps[step]}</Notice>}
              <div className="step-options">
                <StepOptions of={known.find(({ step_type }) => step_type === step) ?? { step_type: step }} />
              </div>
            </li>
          );
        })}
      </ol>
      <div className="actions small add-steps">
        {STEP_TYPES.filter((step) => !order.includes(step)).map((step) => (
          <Button key={step} onPress={() => add(step)}>
            {words.add}: {identity.steps[step]}
          </Button>
        ))}
      </div>
    </FieldFaults>
  );
}
