const HIDDEN = '•••';

/** The first letter of every word of a name, the rest hidden whatever its length: `María del Pilar` → `M••• d••• P•••`. */
export function maskedName(name: string): string {
  const words = name.normalize('NFC').split(/\s+/u).filter(Boolean);
  return words.map((word) => `${[...word][0]}${HIDDEN}`).join(' ');
}
