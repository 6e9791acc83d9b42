/** A text as a sentence: with one full stop at its end, also after an abbreviation such as "p. m." */
export function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
