import type { ReactNode } from 'react';
import type { Locale } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.tsx';

const OTHER: Record<Locale, { locale: Locale; name: string }> = {
  'es-CO': { locale: 'en', name: 'English' },
  en: { locale: 'es-CO', name: 'Español' },
};

/** What every screen stands in: who sent the document, the language switch, the page's one main region. */
export function Frame({ sender, children }: { sender: string | null; children: ReactNode }) {
  const { locale, text, choose } = useLanguage();
  const other = OTHER[locale];
  return (
    <>
      <a className="skip" href="#content">
        {text.page.skip}
      </a>
      <header className="masthead">
        <p className="sender">
          {sender === null ? (
            <strong>{text.page.name}</strong>
          ) : (
            <>
              <span>{text.page.sentBy}</span> <strong>{sender}</strong>
            </>
          )}
        </p>
        <button type="button" className="language" lang={other.locale} onClick={() => choose(other.locale)}>
          {other.name}
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
