/** German letters have two of their own in an MRZ (ICAO 9303-3, section 6). */
const SPELLED: Record<string, string> = { Æ: 'AE', Ø: 'OE', Œ: 'OE', ß: 'SS', Þ: 'TH', Đ: 'D', Ł: 'L' };

/** A name as an MRZ writes it, without spaces: what names of different sources are compared by. */
export function comparableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[ÆØŒßÞĐŁ]/g, (letter) => SPELLED[letter] as string)
    .normalize('NFD')
    .replace(/[^A-Z]/g, '');
}

/** Whether two sources give the same name: letter by letter in the MRZ's alphabet, whatever the spaces. */
export function sameName(one: string, other: string): boolean {
  const plain = comparableName(one);
  return plain !== '' && plain === comparableName(other);
}
