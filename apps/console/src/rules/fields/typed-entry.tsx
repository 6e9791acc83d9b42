import { canonicalJson } from '@constancia/kernel/canonical-json';
import { useState } from 'react';
import { shownValue, typedValue } from '../model/typed-value.ts';
import type { ValueForm } from '../model/value-form.ts';
import { useRuleText } from '../text/language.ts';
import { Labelled } from './labelled.tsx';

interface TypedEntryProps {
  kind: ValueForm['kind'];
  label: string;
  bare?: boolean;
  hint?: string;
  fault?: string;
  placeholder?: string;
  /** A text of several lines: how many to show. */
  lines?: number;
  value: unknown;
  /** Undefined once nothing is left. */
  onValue: (value: unknown) => void;
  disabled?: boolean;
}

/** A value that is typed. What is typed stays as it is, whether it is a value of its kind or not. */
export function TypedEntry({
  kind,
  label,
  bare,
  hint,
  fault,
  placeholder,
  lines,
  value,
  onValue,
  disabled,
}: TypedEntryProps) {
  const { words, locale } = useRuleText();
  const [typed, setTyped] = useState(() => shownValue(kind, value, locale));
  const isAsTyped = canonicalJson(typedValue(kind, typed, locale) ?? null) === canonicalJson(value ?? null);
  const shown = isAsTyped ? typed : shownValue(kind, value, locale); // changed elsewhere: undone, or by the other view
  const isNoNumber = kind === 'number' && typeof value === 'string' && value !== '';
  const onText = (text: string): void => {
    setTyped(text);
    onValue(typedValue(kind, text, locale));
  };
  return (
    <Labelled {...{ label, bare, hint }} fault={isNoNumber ? words.editor.noNumber : fault}>
      {(wiring) =>
        lines === undefined ? (
          <input
            {...wiring}
            type={kind === 'day' ? 'date' : 'text'}
            inputMode={kind === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            spellCheck={false}
            value={shown}
            disabled={disabled}
            placeholder={placeholder}
            onChange={(event) => onText(event.target.value)}
          />
        ) : (
          <textarea
            {...wiring}
            rows={lines}
            value={shown}
            disabled={disabled}
            onChange={(event) => onText(event.target.value)}
          />
        )
      }
    </Labelled>
  );
}
