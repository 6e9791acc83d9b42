/** "Abdulrahman", "Abdur Rahman": servant of a name of God; "Abdullah" is a word of its own. */
const SERVANT = /^abd(?:[aeiou]+l|[aeu]r(?=r)|[aeu]s(?=s)|[aeu]n(?=n))(?!lah$|a$|ah$)(?=[a-z]{3})/;
const SERVANT_ALONE = /^abd[aeiou]*[lrsn]?$/;
const ARTICLE = /^(?:[aeu]l|[au]r|[au]s|[au]n)$/;
const OF_GOD = /[auo]llah$/;

/**
 * One way of writing Arabic names that are made of a name of God, in how many words soever: "Abdulrahman", "Abd al-Rahman" and "Abdur Rahman"
 * are "abdul rahman"; "Nasr Allah", "Nasrallah" and "Nasrollah" are "nasrullah".
 */
export function theophoric(words: string[]): string[] {
  if (!words.some((word) => word.startsWith('abd') || word.endsWith('llah'))) return words;
  const split = words.flatMap((word) => (SERVANT.test(word) ? ['abdul', word.replace(SERVANT, '')] : [word]));
  const written: string[] = [];
  for (const [at, word] of split.entries()) {
    const before = written.at(-1);
    if (before === 'abdul' && ARTICLE.test(word)) continue;
    if (word === 'allah' && before !== undefined && !ARTICLE.test(before)) written[written.length - 1] = `${before === 'abdul' ? 'abd' : before}ullah`;
    else if (SERVANT_ALONE.test(word) && at + 1 < split.length) written.push('abdul');
    else written.push(word.replace(OF_GOD, 'ullah'));
  }
  return written;
}
