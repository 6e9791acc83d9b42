import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the settings. */
export function useSettingsText() {
  const { locale, ...rest } = useText();
  const words = locale === 'en' ? ENGLISH : SPANISH;
  const yesNo = (value: boolean): string => (value ? words.yes : words.no);
  return { ...rest, locale, words, yesNo };
}
