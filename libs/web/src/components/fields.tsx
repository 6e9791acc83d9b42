import { createContext, type FormEvent, type InputHTMLAttributes, type ReactNode, useContext, useId } from 'react';
import { Button } from './button.tsx';
import { Entry } from './entry.tsx';

/** What a form says: trimmed texts by name; what is empty is left out. */
export type Values = Readonly<Record<string, string>>;

export function valuesOf(form: HTMLFormElement): Values {
  const texts = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** What is wrong with the fields of a form, in the reader's words, by the name of the field. */
export const FieldFaults = createContext<Readonly<Record<string, string>>>({});

export interface FieldProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'min' | 'max' | 'step' | 'maxLength' | 'pattern' | 'placeholder' | 'defaultValue' | 'required'
> {
  name: string;
  label: string;
  hint?: string;
  /** What can be chosen: value and text. */
  options?: readonly (readonly [value: string, text: string])[];
  /** Of `options`: what was chosen. */
  onChosen?: (value: string) => void;
  /** A text of several lines: how many to show. */
  lines?: number;
}

/** A labelled control of a form. */
export function Field({ label, hint, options, onChosen, lines, required = false, ...attributes }: FieldProps) {
  const id = useId();
  const fault = useContext(FieldFaults)[attributes.name];
  return (
    <Entry id={id} label={label} help={hint} required={required} fault={fault}>
      {(wiring) => {
        if (options !== undefined) {
          return (
            <select
              {...wiring}
              {...{ name: attributes.name, defaultValue: attributes.defaultValue, required }}
              onChange={(event) => onChosen?.(event.target.value)}
            >
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          );
        }
        if (lines !== undefined) {
          const { name, defaultValue, maxLength } = attributes;
          return <textarea rows={lines} {...wiring} {...{ name, defaultValue, maxLength, required }} />;
        }
        return (
          <input type="text" autoComplete="off" spellCheck={false} {...wiring} {...attributes} required={required} />
        );
      }}
    </Entry>
  );
}

interface FormProps {
  children: ReactNode;
  submit: string;
  onValues: (values: Values) => void;
  onInput?: () => void;
  look?: 'card' | 'filter';
  search?: boolean;
}

/** Fields and the button that sends them. */
export function Form({ children, submit, onValues, onInput, look = 'card', search = false }: FormProps) {
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onValues(valuesOf(event.currentTarget));
  };
  return (
    <form className={look} role={search ? 'search' : undefined} {...{ onSubmit, onInput }}>
      {children}
      <Button look="primary" submit>
        {submit}
      </Button>
    </form>
  );
}
