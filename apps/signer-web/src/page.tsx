import { embedPath } from '@constancia/contracts/embed';
import { Announcements, ErrorBoundary, LanguageProvider, openFrame } from '@constancia/web';
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
  const root = document.getElementById('page');
  if (root === null) throw new Error('index.html has no place for the page');
  const state = await Promise.race([firstLook.catch(() => null), nullAfter(EMPTY_FOR_MS)]);
  createRoot(root).render(
    <LanguageProvider messages={MESSAGES} suggestedAtFirst={state?.envelope.locale}>
      <Announcements>
        <ErrorBoundary>
          <JourneyProvider api={api} firstLook={firstLook} firstState={state}>
            <App />
          </JourneyProvider>
        </ErrorBoundary>
      </Announcements>
    </LanguageProvider>,
  );
}

/** The same in a frame of a tenant's page. @param token of the embed session */
export function mountFrame(token: string): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('index.html has no place for the page');
  document.documentElement.classList.add('framed');
  const opening = openFrame(embedPath(token));
  createRoot(root).render(
    <LanguageProvider messages={MESSAGES} suggestedAtFirst={/^es/i.test(navigator.language) ? 'es-CO' : 'en'}>
      <Announcements>
        <ErrorBoundary>
          <EmbeddedPage opening={opening} token={token} />
        </ErrorBoundary>
      </Announcements>
    </LanguageProvider>,
  );
}

const nullAfter = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms));
