import { Button, Notice, Screen } from '@constancia/web';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import {
  callConsole,
  type Invitation,
  type RequiredMethod,
  type SessionView,
  type SignInAnswer,
} from '../api/console-host.ts';
import { Loading } from '../parts/loading.tsx';
import { useText } from '../text/language.ts';
import { isInvitation } from './link-token.ts';

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
  const invited = isInvitation();
  const spent = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const signIn = (): void => {
    setBusy(true);
    setError(null);
    callConsole<SignInAnswer>('POST', '/link', { token })
      .then((answer) => ('required' in answer ? onRequired(answer.required) : onSession(answer)), setError)
      .finally(() => setBusy(false));
  };
  const lead = useLead(token, invited);
  if (lead === null) return <Loading />;
  return (
    <Screen title={invited ? text.link.invitedTitle : text.link.title} lead={spent ? undefined : lead}>
      {error !== null && <Notice tone="error">{spent ? text.link.spent : signInSentenceOf(error)}</Notice>}
      <div className="actions">
        {!spent && (
          <Button look="primary" busy={busy} onPress={signIn}>
            {invited ? text.link.accept : text.link.submit}
          </Button>
        )}
        <Button look={spent ? 'primary' : 'quiet'} onPress={onCode}>
          {text.link.withCode}
        </Button>
      </div>
    </Screen>
  );
}

/** What the press will do: of an invitation, whose member one becomes, where the console host tells it. Null until it has answered. */
function useLead(token: string, invited: boolean): string | null {
  const { text, roleOf } = useText();
  const [invitation, setInvitation] = useState<Invitation | 'unknown' | null>(null);
  useEffect(() => {
    if (!invited) return;
    callConsole<Invitation>('POST', '/invitation', { token }).then(setInvitation, () => setInvitation('unknown'));
  }, [token, invited]);
  if (!invited) return text.link.lead;
  if (invitation === null) return null;
  if (invitation === 'unknown') return text.link.invitedLead;
  const { organization, role, email } = invitation;
  return text.link.invitedLeadOf(organization, roleOf(role), email);
}
