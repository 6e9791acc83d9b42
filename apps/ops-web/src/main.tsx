import './ops.css';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no place for the page');

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements shown>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
