import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the signing screens. */
export function useSigningText() {
  const { locale, longDayOf, ...rest } = useText();
  const words = locale === 'en' ? ENGLISH : SPANISH;
  /** What stands in the fields of a document before anybody filled them in. */
  const samples = {
    ...words.samples,
    signature: words.samples.name,
    date: longDayOf(new Date()),
  };
  return { ...rest, locale, words, samples };
}
