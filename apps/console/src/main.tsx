import './console.css';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeLinkToken } from './sign-in/link-token.ts';
import { takeSsoAddress } from './sign-in/sso-address.ts';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no place for the page');

// A link that is pasted into a page with the same path changes nothing but what follows the #: nothing would happen.
addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
});

const linkToken = takeLinkToken();
const sso = takeSsoAddress();

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements shown>
      <ErrorBoundary>
        <App linkToken={linkToken} sso={sso} />
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
