import { Button, Entry, Notice } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { registerPasskey } from './passkeys.ts';
import { useText } from './text/language.ts';

interface AddPasskeyProps {
  onAdded: () => void;
  /** The session has ended. */
  onEnded: () => void;
}

/** A name, then what the browser asks for. */
export function AddPasskey({ onAdded, onEnded }: AddPasskeyProps) {
  const { text, sentenceOf, isEnded } = useText();
  const [name, setName] = useState('');
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
    registerPasskey(name.trim())
      .then(
        () => {
          setName('');
          onAdded();
        },
        (failure: unknown) => (isEnded(failure) ? onEnded() : setError(failure)),
      )
      .finally(() => setBusy(false));
  };

  return (
    <form onSubmit={submit} noValidate>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      <Entry id="passkey-name" label={text.passkeys.name} help={text.passkeys.nameHelp} fault={fault}>
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
          {text.passkeys.add}
        </Button>
      </div>
    </form>
  );
}
