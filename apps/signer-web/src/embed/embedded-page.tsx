import { embedPath } from '@constancia/contracts/embed';
import { FrameNews, HostContext, NotOpen, type OpenFrame, type Opening } from '@constancia/web';
import { useEffect, useMemo, useState } from 'react';
import { framedSignerApi } from '../api/signer-api.ts';
import { App } from '../app.tsx';
import { JourneyProvider, useJourney } from '../journey/journey.tsx';
import { useLanguage } from '../text/language.ts';
import { FrameMemory } from './frame-memory.ts';
import { frameEnd } from './frame-end.ts';

/** The page of a signer in a frame, once it has the session. @param opening begun before the page was drawn: it is possible once */
export function EmbeddedPage({ opening, token }: { opening: Promise<Opening>; token: string }) {
  const { text } = useLanguage();
  const [opened, setOpened] = useState<Opening | null>(null);
  useEffect(() => void opening.then(setOpened), [opening]);
  if (opened === null)
    return (
      <div className="sheet loading" role="status">
        <span className="spinner" aria-hidden="true" />
        <p>{text.page.loading}</p>
      </div>
    );
  if (opened.kind === 'open') return <Opened frame={opened} token={token} />;
  return <NotOpen kind={opened.kind} texts={{ ...text.frame, unknown: text.frame.ended, unavailable: text.offline }} />;
}

function Opened({ frame: { host, token: access, locale }, token }: { frame: OpenFrame; token: string }) {
  const [api, firstLook] = useMemo(() => {
    const framed = framedSignerApi(`${embedPath(token)}/signer`, new FrameMemory(access));
    const look = framed.state(locale);
    look.catch(() => undefined); // JourneyProvider shows the failure
    return [framed, look];
  }, [token, access, locale]);
  return (
    <HostContext value={host}>
      <JourneyProvider api={api} firstLook={firstLook} firstState={null} locale={locale}>
        <News />
        <App />
      </JourneyProvider>
    </HostContext>
  );
}

function News() {
  const { situation } = useJourney();
  const end = frameEnd(situation);
  const next = situation.kind === 'known' ? situation.state.next : null;
  return <FrameNews step={end !== null || next === 'done' ? null : next} end={end} />;
}
