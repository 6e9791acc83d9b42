import { Button, Entry, Notice } from '@constancia/web';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';

interface PasskeyNameFormProps {
  /** Of the input. */
  id: string;
  /** What the input has at first. */
  name?: string;
  submitLabel: string;
  submit: (name: string) => Promise<unknown>;
  onDone: () => void;
  /** The session has ended. */
  onEnded: () => void;
  /** Other buttons. */
  children?: ReactNode;
}

/** The name of a passkey, and what is done with it. */
export function PasskeyNameForm({ id, name: first = '', submitLabel, ...props }: PasskeyNameFormProps) {
  const { text, signInSentenceOf, isEnded } = useText();
  const [name, setName] = useState(first);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (busy) return;
    setError(null);
    setFault(name.trim() === '' ? text.passkeys.noName : null);
    if (name.trim() === '') return;
    setBusy(true);
    props
      .submit(name.trim())
      .then(
        () => {
          setName(first);
          props.onDone();
        },
        (failure: unknown) => {
          if (isEnded(failure)) props.onEnded();
          else if (failure instanceof ApiError && failure.status === 400) setFault(text.passkeys.badName);
          else setError(failure);
        },
      )
      .finally(() => setBusy(false));
  };

  return (
    <form onSubmit={submit} noValidate>
      {error !== null && <Notice tone="error">{signInSentenceOf(error)}</Notice>}
      <Entry id={id} label={text.passkeys.name} help={text.passkeys.nameHelp} fault={fault}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Entry>
      <div className="actions">
        <Button look="primary" submit busy={busy}>
          {submitLabel}
        </Button>
        {props.children}
      </div>
    </form>
  );
}
