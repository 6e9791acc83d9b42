import type { ReactNode } from 'react';
import { Entry } from './entry.tsx';

const DIGITS = 6;

export const isCode = (typed: string): boolean => typed.length === DIGITS;

interface CodeEntryProps {
  id: string;
  label: string;
  help?: ReactNode;
  fault: string | null;
  placeholder?: string;
  code: string;
  onChange: (code: string) => void;
}

/** A mailed code of six digits. What is typed or pasted, such as "123 456" or "Su código: 123456", becomes its digits. */
export function CodeEntry({ id, label, help, fault, placeholder, code, onChange }: CodeEntryProps) {
  return (
    <Entry id={id} label={label} help={help} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          className="code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder={placeholder}
          spellCheck={false}
          value={code}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, DIGITS))}
        />
      )}
    </Entry>
  );
}
