import './wallet.css';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { MESSAGES } from './text/language.ts';
import { WalletPage } from './wallet-page.tsx';

const root = document.getElementById('page');
if (root === null) throw new Error('the HTML has no place for the page');

// In the language of the browser, unless the address names one, as the links in mails do.
createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements>
      <ErrorBoundary>
        <WalletPage />
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
