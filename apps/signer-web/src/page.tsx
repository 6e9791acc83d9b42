import { embedPath } from '@constancia/contracts/embed';
import {
  Announcements,
  browserLanguage,
  ErrorBoundary,
  LanguageProvider,
  type Locale,
  openFrame,
} from '@constancia/web';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { SignState } from './api/sign-state.ts';
import type { SignerApi } from './api/signer-api.ts';
import { App } from './app.tsx';
import { EmbeddedPage } from './embed/embedded-page.tsx';
import { JourneyProvider } from './journey/journey.tsx';
import { MESSAGES } from './text/language.ts';

/** Longer than this the page does not stay empty while the first state is on its way. */
const EMPTY_FOR_MS = 150;

/** @param firstLook requested before this module was loaded. Usually it is there by now: then nothing is drawn twice. */
export async function mountPage(api: SignerApi, firstLook: Promise<SignState>): Promise<void> {
  const state = await Promise.race([firstLook.catch(() => null), nullAfter(EMPTY_FOR_MS)]);
  draw(
    state?.envelope.locale,
    <JourneyProvider api={api} firstLook={firstLook} firstState={state}>
      <App />
    </JourneyProvider>,
  );
}

/** The same in a frame of a tenant's page. @param token of the embed session */
export function mountFrame(token: string): void {
  document.documentElement.classList.add('framed');
  draw(browserLanguage(), <EmbeddedPage opening={openFrame(embedPath(token))} token={token} />);
}

/** @param suggestedAtFirst the language to begin in, until the envelope suggests one */
function draw(suggestedAtFirst: Locale | undefined, page: ReactNode): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('index.html has no place for the page');
  createRoot(root).render(
    <LanguageProvider messages={MESSAGES} suggestedAtFirst={suggestedAtFirst}>
      <Announcements>
        <ErrorBoundary>{page}</ErrorBoundary>
      </Announcements>
    </LanguageProvider>,
  );
}

const nullAfter = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms));
