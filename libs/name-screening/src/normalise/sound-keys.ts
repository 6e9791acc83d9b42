/**
 * Keys under which differently romanised spellings of one word meet. All take a word as tokenise writes it (lower-case ASCII).
 */

const DIGRAPHS: [RegExp, string][] = [
  [/tsch|tch/g, 'c'],
  [/shch|schtsch|sch/g, 'x'],
  [/sh/g, 'x'],
  [/ch/g, 'c'],
  [/zh|dzh|dj/g, 'j'],
  [/kh/g, 'h'],
  [/gh/g, 'g'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/ck|cq/g, 'k'],
  [/qu(?=[ei])/g, 'k'],
  [/ts|tz/g, 'z'],
  [/ks/g, 'x'],
];

/** One spelling for the romanisations of Cyrillic and Arabic: "Khaled" and "Haled", "Yuriy", "Iurii" and "Juri". */
export function romanFold(word: string): string {
  let folded = word;
  for (const [digraph, letter] of DIGRAPHS) folded = folded.replaceAll(digraph, letter);
  return folded
    .replaceAll(/ou|oo/g, 'u')
    .replaceAll(/ee|iy|yi|ij|ii|iyy|yy/g, 'i')
    .replaceAll(/[jy](?=[aeou])/g, 'i')
    .replaceAll('y', 'i')
    .replace(/ie(?=[a-z])/g, 'e')
    .replaceAll('w', 'v')
    .replaceAll(/q|c(?=[aoulrkt]|$)/g, 'k')
    .replace(/f+$/, 'v')
    .replaceAll(/(.)\1+/g, '$1');
}

/** Consonants alone, similar ones as one: "Muhammad", "Mohammed" and the unvowelled "mhmd" are all "mhmd". */
export function consonantSkeleton(word: string): string {
  return word
    .replaceAll(/sch|sh|ch/g, 's')
    .replaceAll('kh', 'h')
    .replaceAll('gh', 'k')
    .replaceAll('ph', 'f')
    .replaceAll(/th/g, 't')
    .replaceAll(/dh/g, 'd')
    .replaceAll(/dj|zh/g, 'j')
    .replaceAll(/[gqc]/g, 'k')
    .replaceAll('p', 'b')
    .replaceAll(/[vw]/g, 'w')
    .replaceAll(/[aeiouyw]/g, '')
    .replaceAll(/(.)\1+/g, '$1');
}

/** No vowel where a word of this length has some: transliterated from a script that writes none. */
export const lacksVowels = (word: string): boolean => /^[^aeiou0-9]{2,}$/.test(word);

const PINYIN = new RegExp(
  `^(?:${[
    'a|ai|an|ang|ao|e|ei|en|er|o|ou',
    '[bpm](?:a|ai|an|ang|ao|ei|en|eng|i|ian|iao|ie|in|ing|o|u)|m(?:e|ou|iu)|f(?:a|an|ang|ei|en|eng|o|ou|u)',
    '[dt](?:a|ai|an|ang|ao|e|ei|eng|i|ian|iao|ie|ing|iu|ong|ou|u|uan|ui|un|uo)|[nl](?:a|ai|an|ang|ao|e|ei|en|eng|i|ia|ian|iang|iao|ie|in|ing|iu|ong|ou|u|uan|un|uo|ue)',
    '[gkh](?:a|ai|an|ang|ao|e|ei|en|eng|ong|ou|u|ua|uai|uan|uang|ui|un|uo)',
    '[jqx](?:i|ia|ian|iang|iao|ie|in|ing|iong|iu|u|uan|ue|un)',
    '(?:zh|ch|sh|r|z|c|s)(?:a|ai|an|ang|ao|e|ei|en|eng|i|ong|ou|u|ua|uai|uan|uang|ui|un|uo)',
    'y(?:a|an|ang|ao|e|i|in|ing|o|ong|ou|u|uan|ue|un)|w(?:a|ai|an|ang|ei|en|eng|o|u)',
  ].join('|')})$`,
);

/** Wade-Giles and the older post-office spellings, without their apostrophes. */
const WADE_GILES =
  /^(?:hs|ts|tz|ch|sh|[ptkmflnhjwy])?(?:ih|u|ueh|a|ai|an|ang|ao|e|ei|en|eng|erh|i|ia|iang|iao|ieh|ien|in|ing|iu|iung|o|ou|ua|uai|uan|uang|uei|ui|un|ung|uo)$/;

/** True for what is a syllable of Mandarin in Pinyin. */
export const isPinyin = (word: string): boolean => word.length <= 6 && PINYIN.test(word);

/**
 * One key for the Pinyin and the Wade-Giles spelling of a syllable ("zhou" and "chou", "xi" and "hsi", "dong" and "tung"); null for
 * what is a syllable in neither. The key merges initials that Wade-Giles tells apart by an apostrophe only.
 */
export function mandarinKey(word: string): string | null {
  if (word.length < 2 || word.length > 6 || !(PINYIN.test(word) || WADE_GILES.test(word))) return null;
  const [, initial = '', final = ''] = /^(hs|ts|tz|zh|ch|sh|[bpmfdtnlgkhjqxzcsrwy])?(.*)$/.exec(word) ?? [];
  return `${INITIALS[initial] ?? initial}-${finalKey(final)}`;
}

const INITIALS: Record<string, string> = {
  b: 'p', d: 't', g: 'k', zh: 'ch', j: 'ch', q: 'ch', c: 'ts', z: 'ts', tz: 'ts', x: 'hs',
}; // prettier-ignore

function finalKey(final: string): string {
  return final
    .replace(/ong$|iung$/, 'ung')
    .replace(/^ian$/, 'ien')
    .replace(/^(ie|ue)h?$/, '$1')
    .replace(/^ih$/, 'i')
    .replace(/^ui$/, 'uei')
    .replace(/^(?:uo|e)$/, 'o')
    .replace(/^erh?$/, 'er');
}
