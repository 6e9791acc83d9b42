import { formAt } from './organisation-forms.ts';

/** Fewer letters in a row are initials of a person, or a form. */
const RUN = 3;

/**
 * Letters of an organization's name that stand apart are one word, as they are with dots: "i a c international" is "iac international",
 * "b r c s a" is "brc s a", whose form is "s a". Not with a Spanish "and" among them: "g y g" is "g & g".
 */
export function joinedLetters(words: string[]): string[] {
  if (!hasRun(words)) return words;
  const joined: string[] = [];
  for (let at = 0; at < words.length;) {
    let end = at;
    while (isLetter(words[end]) && !isAnd(words, end)) end++;
    if (end - at >= RUN) {
      const form = formStart(words, at, end);
      if (form > at) joined.push(words.slice(at, form).join(''));
      joined.push(...words.slice(form, end));
    } else joined.push(...words.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return joined;
}

function hasRun(words: readonly string[]): boolean {
  for (let at = 0; at + RUN <= words.length; at++)
    if (isLetter(words[at]) && isLetter(words[at + 1]) && isLetter(words[at + 2])) return true;
  return false;
}

const isLetter = (word: string | undefined) => word?.length === 1 && /[a-z]/.test(word);
const isAnd = (words: readonly string[], at: number) =>
  words[at] === 'y' && isLetter(words[at - 1]) && isLetter(words[at + 1]);

/** Where the organization form begins with which the letters end, if more than one letter is left before it; else their end. */
function formStart(words: readonly string[], from: number, end: number): number {
  for (let start = from; start < end; start++)
    if (start !== from + 1 && (formAt(words, start)?.length ?? 0) >= end - start) return start;
  return end;
}
