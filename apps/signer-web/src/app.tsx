import { useEffect, useState } from 'react';
import type { SignState } from './api/sign-state.ts';
import { Desk } from './desk/desk.tsx';
import { DocumentOnShelf } from './document/open-document.tsx';
import { useJourney } from './journey/journey.tsx';
import { type Screen, screenOf } from './journey/steps.ts';
import { Frame } from './parts/frame.tsx';
import { AccessCode } from './screens/access-code.tsx';
import { Consent } from './screens/consent.tsx';
import { FirstLook } from './screens/first-look.tsx';
import { MailedCode } from './screens/mailed-code.tsx';
import { DeclinedByOther, DeclinedByYou, Failed, Sealed, Sealing, Signed, Waiting } from './screens/outcomes.tsx';
import { Crowded, Loading, Offline, Unknown } from './screens/without-envelope.tsx';
import { useLanguage } from './text/language.tsx';
import { subjectOf } from './text/subject.ts';

/** The page where people sign. */
export function App() {
  const { api, situation } = useJourney();
  const { text } = useLanguage();
  const known = situation.kind === 'known' ? situation.state : null;
  const subject = known === null ? null : subjectOf(known, text);
  useEffect(() => {
    document.title = subject === null ? text.page.name : `${subject} · ${text.page.name}`;
  }, [subject, text]);
  return (
    <Frame sender={known?.envelope.tenant.display_name ?? null}>
      <DocumentOnShelf path={api.documentPath}>
        {known !== null && <Known state={known} />}
        {situation.kind === 'loading' && <Loading />}
        {situation.kind === 'unknown' && <Unknown />}
        {situation.kind === 'unreachable' && <Offline />}
        {situation.kind === 'crowded' && <Crowded until={situation.until} />}
      </DocumentOnShelf>
    </Frame>
  );
}

const SCREENS: Record<Exclude<Screen, 'consent'>, (props: { state: SignState }) => React.ReactNode> = {
  waiting: Waiting,
  otp_email: MailedCode,
  access_code: AccessCode,
  desk: Desk,
  signed: Signed,
  sealing: Sealing,
  sealed: Sealed,
  failed: Failed,
  'declined-by-you': DeclinedByYou,
  'declined-by-other': DeclinedByOther,
};

function Known({ state }: { state: SignState }) {
  const [looking, setLooking] = useState(false);
  const screen = screenOf(state);
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
