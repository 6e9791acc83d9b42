import { PasskeyNameForm } from './passkey-name-form.tsx';
import { registerPasskey } from './passkeys.ts';
import { useText } from '../text/language.ts';

interface AddPasskeyProps {
  onAdded: () => void;
  /** The session has ended. */
  onEnded: () => void;
}

/** A name, then what the browser asks for. */
export function AddPasskey({ onAdded, onEnded }: AddPasskeyProps) {
  const { text } = useText();
  return (
    <PasskeyNameForm
      id="passkey-name"
      submitLabel={text.passkeys.add}
      submit={registerPasskey}
      onDone={onAdded}
      onEnded={onEnded}
    />
  );
}
