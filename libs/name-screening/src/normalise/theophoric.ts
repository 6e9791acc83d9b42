/** "Abdulrahman", "Abdurrahman": servant of a name of God; "Abdullah" is a word of its own. */
const SERVANT = /^abd(?:[aeiou]+l|[aeu]r(?=r)|[aeu]s(?=s)|[aeu]n(?=n))(?!lah$|a$|ah$)(?=[a-z]{3})/;
const SERVANT_ALONE = /^abd[aeiou]*[lrsn]?$/;
const ARTICLE = /^(?:[aeu]l|[au]r|[au]s|[au]n)$/;
const OF_GOD = /[auo]llah$/;

/** Whether a name with this word may be written in another way. */
export const isTheophoric = (word: string): boolean => word.startsWith('abd') || word.endsWith('llah');

/**
 * One way of writing Arabic names that are made of a name of God: "Abdulrahman", "Abd al-Rahman" and "Abdur Rahman" are "abdul rahman",
 * "Nasrallah" and "Nasrollah" are "nasrullah". `joined`: where words were taken apart, the same without that, in which a typing error
 * is one of a longer word.
 */
export function theophoric(words: string[]): { words: string[]; joined: string[] | null } {
  if (!words.some(isTheophoric)) return { words, joined: null };
  const split = words.flatMap((word) => (SERVANT.test(word) ? ['abdul', word.replace(SERVANT, '')] : [word]));
  return { words: spelled(split), joined: split.length > words.length ? words : null };
}

function spelled(words: readonly string[]): string[] {
  const written: string[] = [];
  for (const word of words) {
    if (written.at(-1) === 'abdul' && ARTICLE.test(word)) continue;
    written.push(SERVANT_ALONE.test(word) ? 'abdul' : word.replace(OF_GOD, 'ullah'));
  }
  return written;
}
