import './consent.css';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { ConsentPage } from './consent-page.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('the HTML has no place for the page');

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements>
      <ErrorBoundary>
        <ConsentPage />
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
