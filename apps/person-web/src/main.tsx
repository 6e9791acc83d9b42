import './styles/capture.css';
import { Announcements, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { captureApi } from './api/capture-api.ts';
import { tokenInAddress } from './api/token-in-address.ts';
import { App } from './app.tsx';
import { SessionProvider } from './session/session.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no place for the page');

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={/^es/i.test(navigator.language) ? 'es-CO' : 'en'}>
    <Announcements>
      <ErrorBoundary>
        <SessionProvider api={captureApi(tokenInAddress)}>
          <App />
        </SessionProvider>
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
