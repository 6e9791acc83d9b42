import { Button, CodeEntry, isCode, Screen, useAnnounce, useFocus, useSecondsUntil } from '@constancia/web';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { OtpChannel, OtpSent, SignState } from '../api/sign-state.ts';
import { loadViewer } from '@constancia/web/pdf';
import { Decline } from '../journey/decline.tsx';
import { untilWaited, useJourney } from '../journey/journey.tsx';
import { Purpose } from '../journey/purpose.tsx';
import { otpStepOf } from '../journey/steps.ts';
import { Progress } from '../journey/progress.tsx';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { dateAndTime } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';
import type { Messages } from '../text/messages.ts';
import { ChannelChoice } from './channel-choice.tsx';

/** A code of six digits goes to the signer's mail address or phone and comes back from their hand. */
export function SentCode({ state }: { state: SignState }) {
  const { text, locale } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const announce = useAnnounce();
  const { otp } = state.auth;
  const [method, setMethod] = useState(firstMethod(state));
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
      announce(sentText(text, answer));
      focus('code');
    };
    // Too early for another code: the one that was sent can be entered all the same.
    const tooEarly = await attempt(() => api.sendOtp(locale, method), onSent, [429]);
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
  const address = addressOf(state, method);
  const choice = <ChannelChoice channels={channelsOf(state)} chosen={method} onChoose={setMethod} />;
  return (
    <>
      <Progress state={state} step={otpStepOf(state)} />
      <Screen title={text.otp.title} lead={sent === null ? text.otp.lead(address) : sentText(text, sent)}>
        {asking ? (
          <form onSubmit={(event) => void verify(event)} noValidate>
            <CodeEntry
              id="code"
              label={text.otp.label}
              help={sent !== null && text.otp.until(dateAndTime(sent.expires_at, locale))}
              fault={fault}
              code={code}
              onChange={setCode}
            />
            <FailureNotice />
            {choice}
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
            {choice}
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

const channelsOf = ({ auth }: SignState): readonly OtpChannel[] => auth.otp?.channels ?? [];

/** The way that a code was sent by, else the first there is. */
const firstMethod = (state: SignState): OtpChannel['method'] =>
  state.auth.otp?.sent_by ?? channelsOf(state)[0]?.method ?? 'otp_email';

const addressOf = (state: SignState, method: OtpChannel['method']): string =>
  channelsOf(state).find((channel) => channel.method === method)?.destination_masked ?? state.signer.email_masked;

function sentBefore({ auth: { otp } }: SignState): OtpSent | null {
  const channel = otp?.channels.find(({ method }) => method === otp.sent_by);
  if (!otp || !channel || otp.expires_at === null) return null;
  return { ...channel, expires_at: otp.expires_at, resend_after: otp.resend_after };
}

/** Where the code was sent, and where to look for it. */
const sentText = ({ otp }: Messages, { method, destination_masked }: OtpSent): string =>
  otp.sentBy[method](destination_masked);
