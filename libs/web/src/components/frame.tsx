import type { ReactNode } from 'react';
import { useLanguageOf } from '../language.tsx';
import type { Locale } from '../language-in-address.ts';

const OTHER: Record<Locale, { locale: Locale; name: string }> = {
  'es-CO': { locale: 'en', name: 'English' },
  en: { locale: 'es-CO', name: 'Español' },
};

interface FrameProps {
  /** What the head says; the page's name when left out. */
  head?: ReactNode;
  /** Stands in the head, before the language switch. */
  tools?: ReactNode;
  /** Stands between the head and the main region. */
  navigation?: ReactNode;
  children: ReactNode;
}

/** What every screen stands in: the head with the language switch, the page's one main region. */
export function Frame({ head, tools, navigation, children }: FrameProps) {
  const { locale, text, choose } = useLanguageOf();
  const other = OTHER[locale];
  return (
    <>
      <a className="skip" href="#content">
        {text.page.skip}
      </a>
      <header className="masthead">
        <div className="sender">{head ?? <strong>{text.page.name}</strong>}</div>
        {tools}
        <button type="button" className="language" lang={other.locale} onClick={() => choose(other.locale)}>
          {other.name}
        </button>
      </header>
      {navigation}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
