/** The role that the console suggests for a new signer, in either language. */
const SUGGESTED = /^(?:firmante|signer)(\d+)$/;
const SIGNER = { 'es-CO': 'Firmante', en: 'Signer' };

/**
 * A role's key as people read it: `co-borrower_2` is shown as `Co borrower 2`. `locale`: the reader's; `firmante1` is then `Firmante 1` or
 * `Signer 1`.
 */
export function roleTitle(role: string, locale?: 'es-CO' | 'en'): string {
  const [, number] = SUGGESTED.exec(role) ?? [];
  if (number !== undefined && locale !== undefined) return `${SIGNER[locale]} ${number}`;
  const words = role.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? role : `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
