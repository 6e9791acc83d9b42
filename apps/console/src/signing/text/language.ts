import { roleTitle } from '@constancia/kernel/role-title';
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
  /** The role of a signer, as the signer reads it. */
  const signerRole = (role: string): string => roleTitle(role, locale);
  return { ...rest, locale, words, samples, signerRole };
}
