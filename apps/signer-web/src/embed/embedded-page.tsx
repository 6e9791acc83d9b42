import { embedPath } from '@constancia/contracts/embed';
import { FrameNews, type OpenFrame, type Opening, OpeningPage } from '@constancia/web';
import { useMemo } from 'react';
import { framedSignerApi } from '../api/signer-api.ts';
import { App } from '../app.tsx';
import { JourneyProvider, useJourney } from '../journey/journey.tsx';
import { Loading } from '../screens/without-envelope.tsx';
import { useLanguage } from '../text/language.ts';
import { FrameMemory } from './frame-memory.ts';
import { frameEnd } from './frame-end.ts';

/** The page of a signer in a frame. @param opening begun before the page was drawn: it is possible once */
export function EmbeddedPage({ opening, token }: { opening: Promise<Opening>; token: string }) {
  const { text } = useLanguage();
  const texts = { ...text.frame, unknown: text.frame.ended, unavailable: text.offline };
  return (
    <OpeningPage opening={opening} loading={<Loading />} texts={texts}>
      {(frame) => <Opened frame={frame} token={token} />}
    </OpeningPage>
  );
}

function Opened({ frame: { token: access, locale }, token }: { frame: OpenFrame; token: string }) {
  const [api, firstLook] = useMemo(() => {
    const framed = framedSignerApi(`${embedPath(token)}/signer`, new FrameMemory(access));
    const look = framed.state(locale);
    look.catch(() => undefined); // JourneyProvider shows the failure
    return [framed, look];
  }, [token, access, locale]);
  return (
    <JourneyProvider api={api} firstLook={firstLook} firstState={null} locale={locale}>
      <News />
      <App />
    </JourneyProvider>
  );
}

function News() {
  const { situation } = useJourney();
  const end = frameEnd(situation);
  const next = situation.kind === 'known' ? situation.state.next : null;
  return <FrameNews step={end !== null || next === 'done' ? null : next} end={end} />;
}
