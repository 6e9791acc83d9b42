import './verify.css';
import { ErrorBoundary, LanguageProvider } from '@constancia/web';
import { createRoot } from 'react-dom/client';
import { MESSAGES } from '../text/language.ts';
import { VerifyPage } from './verify-page.tsx';

const root = document.getElementById('page');
if (root === null) throw new Error('verify.html has no place for the page');

/** `/verify/{public_id}` shows an envelope; `/verify` takes any sealed file. */
const publicId = /^\/verify\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;

createRoot(root).render(
  <LanguageProvider messages={MESSAGES}>
    <ErrorBoundary>
      <VerifyPage publicId={publicId} />
    </ErrorBoundary>
  </LanguageProvider>,
);
