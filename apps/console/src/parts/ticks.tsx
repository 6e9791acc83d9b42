import { FieldFaults, Tick } from '@constancia/web';
import { useContext, useId, useState } from 'react';

interface TicksProps<Value extends string> {
  name: string;
  label: string;
  hint?: string;
  options: readonly (readonly [value: Value, text: string])[];
  ticked: readonly Value[];
}

/** A group of checkboxes; what is ticked is in the form under `name`, once for each. */
export function Ticks<Value extends string>({ name, label, hint, options, ticked }: TicksProps<Value>) {
  const id = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(ticked));
  const fault = useContext(FieldFaults)[name];
  const toggle = (value: string, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(value);
    else next.delete(value);
    setChosen(next);
  };
  return (
    <fieldset className={fault === undefined ? 'ticks' : 'ticks at-fault'}>
      <legend>{label}</legend>
      {hint !== undefined && <p className="help">{hint}</p>}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {options.map(([value, text]) => (
        <Tick
          key={value}
          id={`${id}-${value}`}
          label={text}
          ticked={chosen.has(value)}
          required={false}
          onTick={(on) => toggle(value, on)}
        />
      ))}
      {[...chosen].map((value) => (
        <input key={value} type="hidden" name={name} value={value} />
      ))}
    </fieldset>
  );
}
