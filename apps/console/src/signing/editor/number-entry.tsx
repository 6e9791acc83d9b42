import { Entry } from '@constancia/web';
import { useEffect, useId, useState } from 'react';

interface NumberEntryProps {
  label: string;
  value: number;
  fault: string | undefined;
  integer?: boolean;
  onNumber: (value: number) => void;
}

/** A number that applies while it is typed; what is no number is kept as it is written, and says so. */
export function NumberEntry({ label, value, fault, integer = false, onNumber }: NumberEntryProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => textOf(value));
  useEffect(() => setTyped((before) => (Object.is(numberIn(before), value) ? before : textOf(value))), [value]);
  return (
    <Entry id={id} label={label} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          step={integer ? 1 : 'any'}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            onNumber(numberIn(event.target.value));
          }}
        />
      )}
    </Entry>
  );
}

const textOf = (value: number): string => (Number.isNaN(value) ? '' : String(value));
const numberIn = (text: string): number => (text === '' ? NaN : Number(text));
