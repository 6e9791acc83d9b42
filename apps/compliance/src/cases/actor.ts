/** Whether two names are the same person's: case, form and blanks do not make two people of one. */
export function sameActor(a: string, b: string): boolean {
  const plain = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
  return plain(a) === plain(b);
}
