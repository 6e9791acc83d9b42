import { Button, Entry } from '@constancia/web';
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId } from 'react';

/** What a form says: trimmed texts by name; what is empty is left out. */
export type Values = Readonly<Record<string, string>>;

export function valuesOf(form: HTMLFormElement): Values {
  const texts = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

export interface FieldProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'min' | 'max' | 'pattern' | 'defaultValue' | 'required'
> {
  name: string;
  label: string;
  hint?: string;
  /** What can be chosen: value and text. */
  options?: readonly (readonly [value: string, text: string])[];
}

/** A labelled control of a form. */
export function Field({ label, hint, options, required = false, ...attributes }: FieldProps) {
  const id = useId();
  return (
    <Entry id={id} label={label} help={hint} required={required}>
      {(wiring) =>
        options === undefined ? (
          <input type="text" autoComplete="off" spellCheck={false} {...wiring} {...attributes} required={required} />
        ) : (
          <select {...wiring} name={attributes.name} defaultValue={attributes.defaultValue}>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )
      }
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
