import { Button, CodeEntry, isCode, Screen, useAnnounce, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { OtpSent, SignState } from '../api/sign-state.ts';
import { loadViewer } from '@constancia/web/pdf';
import { Decline } from '../journey/decline.tsx';
import { untilWaited, useJourney } from '../journey/journey.tsx';
import { Purpose } from '../journey/purpose.tsx';
import { Progress } from '../journey/progress.tsx';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { dateAndTime } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';

/** A code of six digits goes to the signer's mail address and comes back from their hand. */
export function MailedCode({ state }: { state: SignState }) {
  const { text, locale } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const announce = useAnnounce();
  const { otp } = state.auth;
  // What the server remembers outlives a reload of the page.
  const [sent, setSent] = useState<OtpSent | null>(sentBefore(state));
  const [asking, setAsking] = useState(otp?.sent === true);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(otp?.attempts_left === 0 ? text.otp.spent : null);
  const [busy, setBusy] = useState<'send' | 'verify' | null>(null);
  const [mayResendAt, setMayResendAt] = useState(sent === null ? null : api.localMoment(sent.resend_after));
  const wait = useSecondsUntil(mayResendAt);
  const waitSeconds = useWaitSeconds();
  useEffect(() => void loadViewer().catch(() => undefined), []);

  const send = async (): Promise<void> => {
    setBusy('send');
    setFault(null);
    const onSent = (answer: OtpSent): void => {
      setSent(answer);
      setMayResendAt(api.localMoment(answer.resend_after));
      setAsking(true);
      setCode('');
      announce(text.otp.sent(answer.destination_masked));
      focus('code');
    };
    // Too early for another code: the one that was sent can be entered all the same.
    const tooEarly = await attempt(() => api.sendOtp(locale), onSent, [429]);
    if (tooEarly !== null) setMayResendAt(untilWaited(tooEarly));
    setBusy(null);
  };

  const verify = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy !== null || waitSeconds > 0) return;
    if (!isCode(code)) {
      setFault(text.otp.incomplete);
      return focus('code');
    }
    setFault(null);
    setBusy('verify');
    const refused = await attempt(() => api.verifyOtp(code));
    setBusy(null);
    if (refused === null) return;
    const { reason, attemptsLeft = 0 } = refused;
    setFault(reason === 'expired' || attemptsLeft === 0 ? text.otp.spent : text.otp.wrong(attemptsLeft));
    setCode('');
    focus('code');
  };

  const spent = fault === text.otp.spent;
  const address = sent?.destination_masked ?? state.signer.email_masked;
  return (
    <>
      <Progress state={state} step="otp_email" />
      <Screen title={text.otp.title} lead={sent === null ? text.otp.lead(address) : text.otp.sent(address)}>
        {asking ? (
          <form onSubmit={(event) => void verify(event)} noValidate>
            <CodeEntry
              id="code"
              label={text.otp.label}
              help={sent !== null && text.otp.until(dateAndTime(sent.expires_at, locale))}
              fault={fault}
              placeholder="000000"
              code={code}
              onChange={setCode}
            />
            <FailureNotice />
            <div className="actions">
              <Button look={spent ? 'secondary' : 'primary'} submit busy={busy === 'verify'} waiting={waitSeconds > 0}>
                {text.otp.submit}
              </Button>
              <Button
                look={spent ? 'primary' : 'secondary'}
                busy={busy === 'send'}
                waiting={wait > 0}
                onPress={() => void send()}
              >
                {wait > 0 ? text.otp.againIn(wait) : text.otp.again}
              </Button>
            </div>
          </form>
        ) : (
          <>
            <FailureNotice />
            <div className="actions">
              <Button look="primary" busy={busy === 'send'} waiting={wait > 0} onPress={() => void send()}>
                {wait > 0 ? text.otp.againIn(wait) : text.otp.send}
              </Button>
            </div>
          </>
        )}
        <Purpose />
        <Decline state={state} />
      </Screen>
    </>
  );
}

function sentBefore({ auth: { otp }, signer }: SignState): OtpSent | null {
  if (!otp?.sent || otp.expires_at === null) return null;
  return { destination_masked: signer.email_masked, expires_at: otp.expires_at, resend_after: otp.resend_after };
}
