import { Button, Frame, Notice, Screen } from '@constancia/web';
import { useState } from 'react';
import { AddPasskey } from '../account/add-passkey.tsx';
import { callConsole } from '../api/console-host.ts';
import { useText } from '../text/language.ts';

interface EnrolProps {
  onAdded: () => void;
  onLeave: (news: 'ended' | 'signed-out') => void;
}

/** The tenant requires a passkey and the member has none: they add the first one, then sign in with it. */
export function Enrol({ onAdded, onLeave }: EnrolProps) {
  const { text, signInSentenceOf } = useText();
  const [error, setError] = useState<unknown>(null);
  const leave = (): void => void callConsole('DELETE', '').then(() => onLeave('signed-out'), setError);
  return (
    <Frame>
      <Screen title={text.passkeys.enrol} lead={text.passkeys.enrolLead}>
        {error !== null && <Notice tone="error">{signInSentenceOf(error)}</Notice>}
        <AddPasskey onAdded={onAdded} onEnded={() => onLeave('ended')} />
        <div className="actions">
          <Button look="quiet" onPress={leave}>
            {text.account.signOut}
          </Button>
        </div>
      </Screen>
    </Frame>
  );
}
