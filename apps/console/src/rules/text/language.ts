import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the rules. */
export function useRuleText() {
  const { locale, ...rest } = useText();
  const words = locale === 'en' ? ENGLISH : SPANISH;
  /** A text that comes in both languages. */
  const ofBoth = ({ es, en }: { es: string; en: string }): string => (locale === 'en' ? en : es);
  /** What the linter found; in English as it says it. */
  const problemText = ({ code, detail }: { code: string; detail: string }): string => words.lint[code] ?? detail;
  return { ...rest, locale, words, ofBoth, problemText };
}
