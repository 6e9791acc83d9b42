import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of reports. */
export function useReportText() {
  const { locale, ...rest } = useText();
  return { ...rest, locale, words: locale === 'en' ? ENGLISH : SPANISH };
}
