import { useIdentityText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the flows; `identity`: those of the whole section. */
export function useFlowText() {
  const { locale, words: identity, ...rest } = useIdentityText();
  return { ...rest, locale, identity, words: locale === 'en' ? ENGLISH : SPANISH };
}
