import './consent.css';
import { embedPath, embedTokenIn } from '@constancia/contracts/embed';
import { Announcements, browserLanguage, ErrorBoundary, LanguageProvider, openFrame } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { ConsentLink } from '../api/consent-api.ts';
import { ConsentPage } from './consent-page.tsx';
import { captureToken } from './end.tsx';
import { FramedConsent } from './framed-consent.tsx';
import { MESSAGES } from './text/language.ts';

const root = document.getElementById('page');
if (root === null) throw new Error('the HTML has no place for the page');

/** Of an embed session when its token is in the path: the same page in a frame of a tenant's page. */
const embedToken = embedTokenIn(location.pathname);
const base = embedPath(embedToken ?? '');
const link = ConsentLink.in(location.pathname);
if (link !== null) captureToken();

createRoot(root).render(
  <LanguageProvider messages={MESSAGES} suggestedAtFirst={browserLanguage()}>
    <Announcements>
      <ErrorBoundary>
        {embedToken !== null ? <FramedConsent opening={openFrame(base)} base={base} /> : <ConsentPage link={link} />}
      </ErrorBoundary>
    </Announcements>
  </LanguageProvider>,
);
