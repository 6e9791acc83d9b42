import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { keepLanguageInAddress, languageInAddress, type Locale } from './language-in-address.ts';

/** What the shared components say. A page's own texts add to it. */
export interface CommonMessages {
  page: { name: string; skip: string; required: string; optional: string };
  broken: { title: string; lead: string; reload: string };
}

export interface Language<Messages extends CommonMessages = CommonMessages> {
  locale: Locale;
  text: Messages;
  /** What the reader chose with the switch; null while nobody did. */
  chosen: Locale | null;
  choose: (locale: Locale) => void;
  /** What the page suggests, as long as the reader has not chosen another. */
  suggest: (locale: Locale) => void;
}

const LanguageContext = createContext<Language | null>(null);

interface LanguageProps {
  /** The page's texts. */
  messages: Record<Locale, CommonMessages>;
  /** A suggestion that is known before anything is drawn. */
  suggestedAtFirst?: Locale;
  children: ReactNode;
}

export function LanguageProvider({ messages, suggestedAtFirst = 'es-CO', children }: LanguageProps) {
  const [chosen, setChosen] = useState(languageInAddress);
  const [suggested, suggest] = useState<Locale>(suggestedAtFirst);
  const locale = chosen ?? suggested;
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const language = useMemo<Language>(() => {
    const choose = (next: Locale): void => {
      keepLanguageInAddress(next);
      setChosen(next);
    };
    return { locale, text: messages[locale], chosen, choose, suggest };
  }, [messages, locale, chosen]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

/** The reader's language; `Messages` are those that the page gave to its LanguageProvider. */
export function useLanguageOf<Messages extends CommonMessages>(): Language<Messages> {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error('no language around this component');
  return language as Language<Messages>;
}
