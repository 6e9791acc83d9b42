import { Button, Entry, Notice, Screen, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { loadViewer } from '@constancia/web/pdf';
import { Decline } from '../journey/decline.tsx';
import { useJourney } from '../journey/journey.tsx';
import { Purpose } from '../journey/purpose.tsx';
import { Progress } from '../journey/progress.tsx';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { useLanguage } from '../text/language.ts';

const LONGEST = 64;

/** A code that the sender gave the signer in another way. */
export function AccessCode({ state }: { state: SignState }) {
  const { text } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { access_code: standing } = state.auth;
  const [lockedUntil, setLockedUntil] = useState(standing?.locked_until ?? null);
  const lock = useSecondsUntil(lockedUntil === null ? null : api.localMoment(lockedUntil));
  const waitSeconds = Math.max(useWaitSeconds(), lock);
  useEffect(() => void loadViewer().catch(() => undefined), []);

  const verify = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy || waitSeconds > 0) return;
    if (code.trim() === '') {
      setFault(text.accessCode.missing);
      return focus('access-code');
    }
    setBusy(true);
    const refused = await attempt(() => api.accessCode(code.trim()));
    setBusy(false);
    if (refused === null) return setFault(null);
    const { status, attemptsLeft = 0 } = refused;
    if (status !== 422) setFault(text.accessCode.malformed);
    else setFault(attemptsLeft > 0 ? text.accessCode.wrong(attemptsLeft) : null);
    setLockedUntil(refused.lockedUntil ?? null);
    focus('access-code');
  };

  return (
    <>
      <Progress state={state} step="access_code" />
      <Screen title={text.accessCode.title} lead={text.accessCode.lead(state.envelope.tenant.display_name)}>
        <form onSubmit={(event) => void verify(event)} noValidate>
          <Entry id="access-code" label={text.accessCode.label} help={text.accessCode.help} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={LONGEST}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Entry>
          {lock > 0 && (
            <Notice tone="warning">
              <p>{text.accessCode.locked}</p>
              <span role="timer">{text.accessCode.lockedFor(lock)}</span>
            </Notice>
          )}
          <FailureNotice />
          <div className="actions">
            <Button look="primary" submit busy={busy} waiting={waitSeconds > 0}>
              {text.accessCode.submit}
            </Button>
          </div>
        </form>
        <Purpose />
        <Decline state={state} />
      </Screen>
    </>
  );
}
