import type { Locale } from '../api/sign-state.ts';

/** The role that the console suggests for a new signer, in either language. */
const SUGGESTED = /^(?:firmante|signer)(\d+)$/;
const SIGNER: Record<Locale, string> = { 'es-CO': 'Firmante', en: 'Signer' };

/** A role's key as people read it: `co-borrower_2` is shown as `Co borrower 2`, `firmante1` as `Firmante 1` or `Signer 1`. */
export function roleTitle(role: string, locale: Locale): string {
  const [, number] = SUGGESTED.exec(role) ?? [];
  if (number !== undefined) return `${SIGNER[locale]} ${number}`;
  const words = role.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? role : `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
