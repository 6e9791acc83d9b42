import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Locale } from '../api/sign-state.ts';
import { ENGLISH } from './english.ts';
import { languageInAddress } from './language-in-address.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

interface Language {
  locale: Locale;
  text: Messages;
  /** What the reader chose with the switch; null while nobody did. */
  chosen: Locale | null;
  choose: (locale: Locale) => void;
  /** The envelope's language, as long as the reader has not chosen another. */
  suggest: (locale: Locale) => void;
}

const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };
const LanguageContext = createContext<Language | null>(null);

interface LanguageProps {
  /** The envelope's language, where it is known before anything is drawn. */
  suggestedAtFirst?: Locale;
  children: ReactNode;
}

export function LanguageOfReader({ suggestedAtFirst = 'es-CO', children }: LanguageProps) {
  const [chosen, setChosen] = useState(languageInAddress);
  const [suggested, suggest] = useState<Locale>(suggestedAtFirst);
  const locale = chosen ?? suggested;
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const language = useMemo<Language>(() => {
    const choose = (next: Locale): void => {
      history.replaceState(history.state, '', `?lang=${next === 'en' ? 'en' : 'es'}`);
      setChosen(next);
    };
    return { locale, text: MESSAGES[locale], chosen, choose, suggest };
  }, [locale, chosen]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error('no language around this component');
  return language;
}
