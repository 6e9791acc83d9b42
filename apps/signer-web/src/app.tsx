import { useHostPage } from '@constancia/web';
import { useEffect, useState } from 'react';
import type { SignState } from './api/sign-state.ts';
import { SigningForm } from './signing-form/signing-form.tsx';
import { DocumentProvider } from './document/open-document.tsx';
import { Identity } from './identity/identity.tsx';
import { useJourney } from './journey/journey.tsx';
import { authStepOf, dueAuthentication, dueToDecline, type Screen, screenOf } from './journey/steps.ts';
import { useHistoryEntry } from './journey/use-history-entry.ts';
import { SenderFrame } from './components/sender-frame.tsx';
import { AccessCode } from './screens/access-code.tsx';
import { Consent } from './screens/consent.tsx';
import { FirstLook } from './screens/first-look.tsx';
import { SentCode } from './screens/sent-code.tsx';
import { DeclinedByOther, DeclinedByYou, Failed, Sealed, Sealing, Signed, Waiting } from './screens/outcomes.tsx';
import { CloseFrame, FrameEnded } from './embed/frame-ends.tsx';
import { Crowded, Loading, NotMeThanks, Offline, Unavailable, Unknown } from './screens/without-envelope.tsx';
import { useLanguage } from './text/language.ts';
import { subjectOf } from './text/subject.ts';

/** The page where people sign. */
export function App() {
  const { api, situation } = useJourney();
  const { text } = useLanguage();
  const framed = useHostPage() !== null;
  const known = situation.kind === 'known' ? situation.state : null;
  const subject = known === null ? null : subjectOf(known, text);
  useEffect(() => {
    document.title = subject === null ? text.page.name : `${subject} · ${text.page.name}`;
  }, [subject, text]);
  return (
    <SenderFrame sender={known?.envelope.tenant ?? null}>
      <DocumentProvider
        request={api.document}
        onShown={known !== null && dueAuthentication(known) === undefined ? api.documentShown : null}
      >
        {known !== null && <Known state={known} />}
        {situation.kind === 'loading' && <Loading />}
        {situation.kind === 'unknown' && (framed ? <FrameEnded /> : <Unknown />)}
        {situation.kind === 'unavailable' && <Unavailable />}
        {situation.kind === 'not-me' && <NotMeThanks />}
        {situation.kind === 'unreachable' && <Offline />}
        {situation.kind === 'crowded' && <Crowded until={situation.until} />}
      </DocumentProvider>
      <CloseFrame />
    </SenderFrame>
  );
}

const SCREENS: Record<Exclude<Screen, 'consent'>, (props: { state: SignState }) => React.ReactNode> = {
  waiting: Waiting,
  otp_email: SentCode,
  otp_phone: SentCode,
  access_code: AccessCode,
  identity: Identity,
  'signing-form': SigningForm,
  signed: Signed,
  sealing: Sealing,
  sealed: Sealed,
  failed: Failed,
  'declined-by-you': DeclinedByYou,
  'declined-by-other': DeclinedByOther,
};

const AUTHENTICATIONS = { otp_email: SentCode, otp_phone: SentCode, access_code: AccessCode, identity: Identity };

function Known({ state }: { state: SignState }) {
  const [looking, setLooking] = useState(false);
  const { wish } = useJourney();
  const screen = screenOf(state);
  // In a frame the way back is that of the page that holds it.
  useHistoryEntry(useHostPage() === null ? screen : null);
  const due = wish === 'decline' ? dueToDecline(state) : dueAuthentication(state);
  const possible = state.auth.otp !== null || state.auth.access_code !== null || state.auth.identity;
  if (wish !== null && due !== undefined && possible) {
    const step = authStepOf(due);
    const Authentication = AUTHENTICATIONS[step];
    return <Authentication key={step} state={state} />;
  }
  if (screen !== 'consent') {
    const Present = SCREENS[screen];
    return <Present key={screen} state={state} />;
  }
  return looking ? (
    <FirstLook onClose={() => setLooking(false)} />
  ) : (
    <Consent state={state} onLook={() => setLooking(true)} />
  );
}
