import { Button, Entry, Notice, Screen, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import type { MadePasskey, ProvenRecovery } from '../../api/recovery-api.ts';
import { useRequest } from '../../session/use-request.ts';
import { useText } from '../text/language.ts';

interface PasskeyStepProps {
  recovery: ProvenRecovery;
  /** The one that was made before is not valid any more. */
  again: boolean;
  onMade: (passkey: MadePasskey) => void;
  isEnd: (failure: unknown) => boolean;
  onBack: () => void;
}

/** The passkey that is to be the only one of the wallet. */
export function PasskeyStep({ recovery, again, onMade, isEnd, onBack }: PasskeyStepProps) {
  const { text, sentenceOf } = useText();
  const focus = useFocus();
  const { busy, error, run } = useRequest(() => undefined, isEnd);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  const create = (event: SyntheticEvent): void => {
    event.preventDefault();
    setFault(name.trim() === '' ? text.passkeys.noName : null);
    if (name.trim() === '') return focus('recovery-passkey');
    void run('create', async () => onMade({ name: name.trim(), credential: await recovery.createPasskey() }));
  };
  return (
    <Screen title={text.recovery.passkeyTitle} lead={text.recovery.passkeyLead}>
      {again && error === null && <Notice tone="warning">{text.recovery.repeat}</Notice>}
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      <form onSubmit={create} noValidate>
        <Entry id="recovery-passkey" label={text.passkeys.name} help={text.passkeys.nameHelp} fault={fault}>
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
          <Button look="primary" submit busy={busy === 'create'}>
            {text.recovery.create}
          </Button>
          <Button look="quiet" onPress={onBack}>
            {text.recovery.back}
          </Button>
        </div>
      </form>
    </Screen>
  );
}
