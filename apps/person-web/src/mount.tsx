import './styles/capture.css';
import { Announcements, ErrorBoundary, LanguageProvider } from '@constancia/web';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { MESSAGES } from './text/language.ts';

/** Shows a page, in the language of the browser until the session suggests another. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('the HTML has no place for the page');
  createRoot(root).render(
    <LanguageProvider messages={MESSAGES} suggestedAtFirst={/^es/i.test(navigator.language) ? 'es-CO' : 'en'}>
      <Announcements>
        <ErrorBoundary>{page}</ErrorBoundary>
      </Announcements>
    </LanguageProvider>,
  );
}
