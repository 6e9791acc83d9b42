import '../consent/consent.css';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { OpenIdPage } from './openid-page.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('the HTML has no place for the page');

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements>
      <ErrorBoundary>
        <OpenIdPage />
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
