import './styles/capture.css';
import { embedPath, embedTokenIn } from '@constancia/contracts/embed';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider, openFrame } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { captureApi } from './api/capture-api.ts';
import { tokenInAddress } from './api/token-in-address.ts';
import { App } from './app.tsx';
import { EmbeddedPage } from './embed/embedded-page.tsx';
import { SessionProvider } from './session/session.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('the HTML has no place for the page');

/** Of an embed session when its token is in the path: the same page in a frame of a tenant's page. */
const embedToken = embedTokenIn(location.pathname);
const base = embedPath(embedToken ?? '');
document.documentElement.classList.toggle('framed', embedToken !== null);

// In the language of the browser until the session suggests another.
createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements>
      <ErrorBoundary>
        {embedToken !== null ? (
          <EmbeddedPage opening={openFrame(base)} base={base} />
        ) : (
          <SessionProvider api={captureApi(tokenInAddress)}>
            <App />
          </SessionProvider>
        )}
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
