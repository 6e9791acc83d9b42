/** A role's key as people read it: `co-borrower_2` is shown as `Co borrower 2`. As libs/kernel does. */
export function roleTitle(role: string): string {
  const words = role.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? role : `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
