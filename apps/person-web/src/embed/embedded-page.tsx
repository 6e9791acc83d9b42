import type { CaptureState } from '@constancia/contracts/capture';
import { type FrameEnd, FrameNews, type OpenFrame, type Opening, OpeningPage } from '@constancia/web';
import { useMemo } from 'react';
import { captureApi } from '../api/capture-api.ts';
import { App } from '../app.tsx';
import { SessionProvider, useSession } from '../session/session.tsx';
import { useText } from '../text/language.ts';

/** The capture page in a frame. @param opening begun before the page was drawn: it is possible once */
export function EmbeddedPage({ opening, base }: { opening: Promise<Opening>; base: string }) {
  const { text } = useText();
  const loading = (
    <p className="loading" role="status">
      {text.loading}
    </p>
  );
  const texts = { ...text.embed, unknown: text.unknown, unavailable: text.unreachable };
  return (
    <OpeningPage opening={opening} loading={loading} texts={texts}>
      {(frame) => <Opened frame={frame} base={base} />}
    </OpeningPage>
  );
}

function Opened({ frame: { token }, base }: { frame: OpenFrame; base: string }) {
  const api = useMemo(() => captureApi({ read: () => token, replace: () => undefined }, base), [token, base]);
  return (
    <SessionProvider api={api}>
      <News />
      <App />
    </SessionProvider>
  );
}

const ENDS: Partial<Record<CaptureState['status'], FrameEnd>> = {
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
