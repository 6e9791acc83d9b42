import type { CaptureState } from '@constancia/contracts/capture';
import { Frame, TenantHead, useHostPage } from '@constancia/web';
import { useEffect } from 'react';
import { Elsewhere, Ended, Waiting, Without } from './screens/outcomes.tsx';
import { useSession } from './session/session.tsx';
import { useHistoryEntry } from './session/use-history-entry.ts';
import { Consent } from './steps/consent.tsx';
import { DocumentPictures } from './steps/document.tsx';
import { LastCheck } from './steps/last-check.tsx';
import { Selfie } from './steps/selfie.tsx';
import { useText } from './text/language.ts';

const STEPS = { consent: Consent, document_upload: DocumentPictures, face_match: Selfie, sarlaft: LastCheck };

/** What is due now, as the server says. */
export function App() {
  const { situation } = useSession();
  const { text } = useText();
  const state = situation.kind === 'known' ? situation.state : null;
  // In a frame the way back is that of the page that holds it.
  const framed = useHostPage() !== null;
  useHistoryEntry(framed ? null : state === null ? situation.kind : screenOf(state));
  useEffect(() => {
    document.title = text.page.name;
  }, [text]);
  return (
    <Frame head={state && <TenantHead label={text.page.for} tenant={state.tenant} />}>
      {situation.kind === 'loading' && (
        <p className="loading" role="status">
          {text.loading}
        </p>
      )}
      {state !== null && <Known key={screenOf(state)} state={state} />}
      {situation.kind !== 'loading' && situation.kind !== 'known' && <Without kind={situation.kind} />}
    </Frame>
  );
}

type ScreenName = 'ended' | 'elsewhere' | 'waiting' | keyof typeof STEPS;

function screenOf({ status, step, device }: CaptureState): ScreenName {
  if (step === null || (status !== 'in_progress' && status !== 'processing')) return 'ended';
  if (device === 'waiting') return 'elsewhere';
  return status === 'processing' ? 'waiting' : step;
}

function Known({ state }: { state: CaptureState }) {
  const screen = screenOf(state);
  if (screen === 'ended') return <Ended state={state} />;
  if (screen === 'elsewhere') return <Elsewhere />;
  if (screen === 'waiting') return <Waiting />;
  const Step = STEPS[screen];
  return <Step state={state} />;
}
