/** Characters of a typed signature: longer than any usual name, and about what fits a line. */
export const LONGEST_TYPED = 80;

/** A name as the signature that is proposed: as many of its words as may be typed. */
export function shortenedName(name: string): string {
  if (name.length <= LONGEST_TYPED) return name;
  const start = name.slice(0, LONGEST_TYPED + 1);
  const end = start.lastIndexOf(' ');
  return start.slice(0, end > 0 ? end : LONGEST_TYPED).trimEnd();
}
