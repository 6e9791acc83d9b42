/** Letters of a syllable of Hangul as North Korea, and the lists, romanise them. */
const INITIALS = 'k kk n t tt r m p pp s ss  j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'.split(' ');
const FINALS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const FIRST = 0xac00;
const SYLLABLE = /[\uac00-\ud7a3]/gu;

/** Syllables of Hangul as words in Latin letters; all else as it is. "김정은" → " kim  jong  un ". */
export const romanisedHangul = (text: string): string =>
  text.replaceAll(SYLLABLE, (syllable) => {
    const nth = syllable.charCodeAt(0) - FIRST;
    const final = nth % FINALS.length;
    const vowel = Math.floor(nth / FINALS.length) % VOWELS.length;
    const initial = Math.floor(nth / FINALS.length / VOWELS.length);
    return ` ${INITIALS[initial]}${VOWELS[vowel]}${FINALS[final]} `;
  });
