import type { CaptureState } from '@constancia/contracts/capture';
import { FrameNews, HostContext, NotOpen, type OpenFrame, type Opening } from '@constancia/web';
import { useEffect, useMemo, useState } from 'react';
import { captureApi } from '../api/capture-api.ts';
import { App } from '../app.tsx';
import { SessionProvider, useSession } from '../session/session.tsx';
import { useText } from '../text/language.ts';

/** The capture page in a frame, once it has the session. @param opening begun before the page was drawn: it is possible once */
export function EmbeddedPage({ opening, base }: { opening: Promise<Opening>; base: string }) {
  const { text } = useText();
  const [opened, setOpened] = useState<Opening | null>(null);
  useEffect(() => void opening.then(setOpened), [opening]);
  if (opened === null)
    return (
      <p className="loading" role="status">
        {text.loading}
      </p>
    );
  if (opened.kind === 'open') return <Opened frame={opened} base={base} />;
  const texts = { ...text.embed, unknown: text.unknown, unavailable: text.unreachable };
  return <NotOpen kind={opened.kind} texts={texts} />;
}

function Opened({ frame: { host, token }, base }: { frame: OpenFrame; base: string }) {
  const api = useMemo(() => captureApi({ read: () => token, replace: () => undefined }, base), [token, base]);
  return (
    <HostContext value={host}>
      <SessionProvider api={api}>
        <News />
        <App />
      </SessionProvider>
    </HostContext>
  );
}

const ENDS: Partial<Record<CaptureState['status'], 'completed' | 'failed' | 'expired'>> = {
  completed: 'completed',
  manual_review: 'completed',
  failed: 'failed',
  expired: 'expired',
};

function News() {
  const { situation } = useSession();
  const state = situation.kind === 'known' ? situation.state : null;
  const end = situation.kind === 'unknown' ? 'expired' : state && ENDS[state.status];
  return <FrameNews step={state?.step ?? null} end={end ?? null} />;
}
