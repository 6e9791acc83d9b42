/**
 * Keys under which differently romanised spellings of one word meet. All take a word as tokenise writes it (lower-case ASCII).
 */

const SPELLINGS: Record<string, string> = {
  tsch: 'c', tch: 'c', shch: 'x', schtsch: 'x', sch: 'x', sh: 'x', ch: 'c', zh: 'j', dzh: 'j', dj: 'j', kh: 'h', gh: 'g', ph: 'f', th: 't', dh: 'd',
  ck: 'k', cq: 'k', ts: 'z', tz: 'z', ks: 'x', ou: 'u', oo: 'u', ee: 'i', iyy: 'i', iy: 'i', yi: 'i', ij: 'i', ii: 'i', yy: 'i', w: 'v', q: 'k',
}; // prettier-ignore
const SPELLING =
  /schtsch|tsch|shch|tch|sch|dzh|sh|ch|zh|dj|kh|gh|ph|th|dh|c[kq]|qu(?=[ei])|t[sz]|ks|o[ou]|ee|iyy|i[yji]|y[iy]|w|q/g;
const AFTER = /[jy](?=[aeou])|y|ie(?=[a-z])|c(?=[aoulrkt]|$)|f+$/g;

/** One spelling for the romanisations of Cyrillic and Arabic: "Khaled" and "Haled", "Yuriy", "Iurii" and "Juri". */
export function romanFold(word: string): string {
  return word
    .replaceAll(SPELLING, (spelling) => SPELLINGS[spelling] ?? 'k')
    .replaceAll(AFTER, (letters) => AFTERWARDS[letters[0] as string] ?? letters)
    .replaceAll(/(.)\1+/g, '$1');
}

const AFTERWARDS: Record<string, string> = { j: 'i', y: 'i', i: 'e', c: 'k', f: 'v' };

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
 * what is a syllable in neither. The key merges initials that Wade-Giles distinguishes by an apostrophe only.
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
