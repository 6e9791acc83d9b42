import { Button, Notice, Screen } from '@constancia/web';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { callConsole, type RequiredMethod, type SessionView, type SignInAnswer } from '../api/console-host.ts';
import { useText } from '../text/language.ts';

interface SignInWithLinkProps {
  token: string;
  onSession: (view: SessionView) => void;
  onCode: () => void;
  /** Nobody is signed in: the tenant requires this method instead. */
  onRequired: (method: RequiredMethod) => void;
}

/**
 * A one-time link is used on a press, not by opening it: programs that look at mailed links would use it up, and another page could
 * sign the reader in as somebody else without a word.
 */
export function SignInWithLink({ token, onSession, onCode, onRequired }: SignInWithLinkProps) {
  const { text, signInSentenceOf } = useText();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const invited = location.pathname === '/invitation';
  const lead = invited ? text.link.invitedLead : text.link.lead;
  const spent = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const signIn = (): void => {
    setBusy(true);
    setError(null);
    callConsole<SignInAnswer>('POST', '/link', { token })
      .then((answer) => ('required' in answer ? onRequired(answer.required) : onSession(answer)), setError)
      .finally(() => setBusy(false));
  };
  return (
    <Screen title={invited ? text.link.invitedTitle : text.link.title} lead={spent ? undefined : lead}>
      {error !== null && <Notice tone="error">{spent ? text.link.spent : signInSentenceOf(error)}</Notice>}
      <div className="actions">
        {!spent && (
          <Button look="primary" busy={busy} onPress={signIn}>
            {text.link.submit}
          </Button>
        )}
        <Button look={spent ? 'primary' : 'quiet'} onPress={onCode}>
          {text.link.withCode}
        </Button>
      </div>
    </Screen>
  );
}
