import { Entry } from '@constancia/web';
import { type ReactNode, useId } from 'react';

interface TextEntryProps {
  label: string;
  help?: ReactNode;
  fault?: string | undefined;
  value: string;
  /** Characters. */
  most: number;
  required?: boolean;
  onText: (text: string) => void;
}

/** A text that applies while it is typed. */
export function TextEntry({ label, help, fault, value, most, required = false, onText }: TextEntryProps) {
  const id = useId();
  return (
    <Entry id={id} label={label} help={help} fault={fault} required={required}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={most}
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Entry>
  );
}
