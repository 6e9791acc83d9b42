import { formAt, formWord } from './organisation-forms.ts';

/** A name of an organization without what is in parentheses and said already, and the short names that stand there. */
export interface NameAndShort {
  name: string;
  short: string[];
}

/** Fewer letters are initials of too many. */
const ACRONYM = 3;

/**
 * "foreign intelligence service (svr)", "aktsionernoe obshchestvo npp vostok (ao npp vostok)": what is in parentheses is a name of its own
 * if it has an organization form, or is made of the initials of the words before. "(Hong Kong)" belongs to the name.
 */
export function shortNames(ascii: string): NameAndShort {
  if (!ascii.includes('(')) return { name: ascii, short: [] };
  const short: string[] = [];
  const name = ascii.replace(/\(([^()]*)\)/g, (all, inner: string, at: number) => {
    const before = wordsIn(ascii.slice(0, at));
    const words = wordsIn(inner);
    if (before.length === 0 || words.length === 0) return all;
    const ofInitials = words.length === 1 && inInitials(before, words[0] as string);
    const folded = words.map(formWord);
    const hasForm = folded.some((_, nth) => formAt(folded, nth) !== null);
    const forms = folded.every((_, nth) => formAt(folded, nth) !== null);
    if (!ofInitials && !hasForm) return all;
    if (!forms && (hasForm || (words[0] as string).length >= ACRONYM)) short.push(inner);
    return ' ';
  });
  return { name, short };
}

const wordsIn = (ascii: string): string[] => ascii.replaceAll(/['`"]/g, '').match(/[a-z0-9]+/g) ?? [];

function inInitials(words: readonly string[], letters: string): boolean {
  const initials = words.map((word) => word[0]).join('');
  let place = -1;
  return [...letters].every((letter) => (place = initials.indexOf(letter, place + 1)) !== -1);
}
