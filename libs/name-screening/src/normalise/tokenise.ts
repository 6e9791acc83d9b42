import anyAscii from 'any-ascii';
import { romanisedArabic } from './arabic-names.ts';
import { romanisedHangul } from './hangul.ts';
import { formAt, formWord, HAN_FORMS } from './organisation-forms.ts';
import { joinedLetters } from './joined-letters.ts';
import { theophoric } from './theophoric.ts';
import { shortNames } from './short-names.ts';
import { foldNumber, foldOrganisationWord, ORGANISATION_PARTICLES, PARTICLES } from './small-words.ts';

/** How a name is read: organizations have forms, numbers and short forms; people have particles, titles and initials. */
export type NameMode = 'person' | 'organisation';

/** word: counts. minor: particle, counts hardly. form: organization form, never counts. initial: one letter. */
export type TokenRole = 'word' | 'minor' | 'form' | 'initial';

export interface NameToken {
  text: string;
  role: TokenRole;
}

export interface TokenisedName {
  tokens: NameToken[];
  truncated: boolean;
}

/** One written form of a name. */
export interface NameForm extends TokenisedName {
  /** han: in Chinese, Japanese or Korean script, as one word. romanised: the same, letter by letter in Latin. plain: all else. */
  script: 'plain' | 'han' | 'romanised';
}

export const MAX_TOKENS = 64;
export const MAX_TOKEN_LENGTH = 40;
const MAX_TEXT = 8_192;

/** Something in Chinese, Japanese or Korean script. */
export const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const ARABIC = /\p{Script=Arabic}/u;
const HAN_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+/gu;
const LETTER_FOR_DIGIT: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

/** A text as both modes read it. */
export interface ReadText {
  /** Lower-case ASCII. Of a text that is in East Asian script alone, letter by letter. */
  ascii: string;
  romanised: boolean;
  /** What is in East Asian script, without spaces. */
  han: string;
  cut: boolean;
}

/** The forms in which a name is compared: in Latin letters, and in East Asian script if part of it is. Never throws. */
export const nameForms = (text: string, mode: NameMode): NameForm[] => formsOf(readText(text), mode);

/** Pictures are no part of a name; spelled out ("grinning") they would pass for words of it. */
const PICTURES = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;

export function readText(text: string): ReadText {
  const cut = text.length > MAX_TEXT;
  const kept = cut ? text.slice(0, MAX_TEXT) : text;
  if (PLAIN.test(kept)) return { ascii: spelledOut(kept).toLowerCase(), romanised: false, han: '', cut };
  const clean = kept
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(PICTURES, ' ');
  if (!HAN.test(clean)) return { ascii: latin(clean), romanised: false, han: '', cut };
  const han = (clean.match(HAN_RUN) ?? []).join('');
  const rest = latin(clean.replaceAll(HAN_RUN, ' '));
  if (/[a-z]{2}/.test(rest)) return { ascii: rest, romanised: false, han, cut };
  const letters = romanisedHangul(clean).replaceAll(HAN_RUN, (run) =>
    [...run].map((letter) => ` ${anyAscii(letter)} `).join(''),
  );
  return { ascii: latin(letters), romanised: true, han, cut };
}

const spelledOut = (clean: string) =>
  clean.includes('&') || clean.includes('+') ? clean.replaceAll(/[&+]/g, ' and ') : clean;

function latin(clean: string): string {
  return spelledOut(anyAscii(ARABIC.test(clean) ? romanisedArabic(clean) : clean)).toLowerCase();
}

export function formsOf(read: ReadText, mode: NameMode): NameForm[] {
  const { name, short } = mode === 'person' ? { name: read.ascii, short: [] } : shortNames(read.ascii);
  const latin = [name, ...short].flatMap((text) => latinForms(read, text, mode));
  const original = mode === 'person' ? read.han : read.han.replaceAll(HAN_FORMS, '');
  return original === '' ? latin : [...latin, originalForm(read, original)];
}

function latinForms({ cut, romanised }: ReadText, ascii: string, mode: NameMode): NameForm[] {
  const words = latinWords(ascii, mode);
  const truncated = cut || words.length > MAX_TOKENS || words.some((word) => word.length > MAX_TOKEN_LENGTH);
  const kept = words.slice(0, MAX_TOKENS).map((word) => word.slice(0, MAX_TOKEN_LENGTH));
  const script = romanised ? 'romanised' : 'plain';
  if (mode === 'organisation') return [{ tokens: organisationTokens(kept), truncated, script }];
  const { words: spelled, joined } = theophoric(kept);
  const forms: NameForm[] = [{ tokens: personTokens(spelled.slice(0, MAX_TOKENS)), truncated, script }];
  return joined ? [...forms, { tokens: personTokens(joined), truncated, script }] : forms;
}

function originalForm({ cut }: ReadText, original: string): NameForm {
  const word = original.slice(0, MAX_TOKEN_LENGTH);
  return { tokens: [{ text: word, role: 'word' }], script: 'han', truncated: cut || word.length < original.length };
}

/** All that is compared of a name, as one text. */
export const wholeText = ({ tokens }: Pick<NameForm, 'tokens'>): string => tokens.map(({ text }) => text).join(' ');

/** Whether the name begins or ends with an organization form, and is read as one of an organization. */
export const looksLikeOrganisation = (forms: readonly NameForm[]): boolean =>
  forms.some(({ tokens }) => tokens.at(-1)?.role === 'form' || tokens[0]?.role === 'form');

/** Words of a lower-case text. "j.-c." → "j c" for people, "s.a.s." → "sas" for organizations; "o'neill" → "oneill". */
function latinWords(ascii: string, mode: NameMode): string[] {
  const dotted =
    mode === 'person'
      ? ascii
      : ascii.replaceAll(/\b(?:[a-z][./]){1,5}[a-z]\b\.?/g, (letters) => letters.replaceAll(/[./]/g, ''));
  const words = dotted.replaceAll(/['`"]/g, '').match(/[a-z0-9@$]+/g) ?? [];
  return /[0-9@$]/.test(dotted)
    ? words.map((word) => digitsToLetters(word, mode)).filter((word) => word !== '')
    : words;
}

/**
 * "0s4ma" → "osama", in a word of at least three letters. In names of organizations only where a digit stands before a letter:
 * "mp3", "area51" and "4th" stay.
 */
function digitsToLetters(word: string, mode: NameMode): string {
  const plain = word.replaceAll('@', 'a').replaceAll('$', 's');
  const letters = plain.replaceAll(/\d/g, '').length;
  if (letters === plain.length || letters < 3 || /^\d+(st|nd|rd|th)$/.test(plain)) return plain;
  if (mode === 'organisation' && !/\d[a-z]/.test(plain)) return plain;
  const folded = plain.replaceAll(/\d/g, (digit) => LETTER_FOR_DIGIT[digit] ?? digit);
  return /\d/.test(folded) ? plain : folded;
}

function personTokens(words: string[]): NameToken[] {
  const tokens = words.flatMap((text): NameToken[] => {
    if (text.length === 1 && text !== 'y' && /[a-z]/.test(text)) return [{ text, role: 'initial' }];
    if (PARTICLES.has(text)) return [{ text, role: 'minor' }];
    return [{ text, role: 'word' }];
  });
  return withSomeWord(tokens);
}

function organisationTokens(written: string[]): NameToken[] {
  const words = joinedLetters(written);
  const folded = words.map(formWord);
  const tokens: NameToken[] = [];
  for (let at = 0; at < words.length; at++) {
    const form = formAt(folded, at);
    const text = words[at] as string;
    if (form) {
      tokens.push({ text: words.slice(at, at + form.length).join(' '), role: 'form' });
      at += form.length - 1;
    } else if (PARTICLES.has(text) || ORGANISATION_PARTICLES.has(text)) tokens.push({ text, role: 'minor' });
    else tokens.push({ text: foldOrganisationWord(foldNumber(text)), role: 'word' });
  }
  return withSomeWord(tokens);
}

/** "Do Van An" is a name, though each of its words is a particle somewhere. */
function withSomeWord(tokens: NameToken[]): NameToken[] {
  if (tokens.some(({ role }) => role === 'word' || role === 'form')) return tokens;
  const long = tokens.filter(({ role, text }) => role === 'minor' && text.length > 1);
  if (long.length === 0 || tokens.length < 2) return tokens;
  return tokens.map((token) => (token.role === 'minor' && token.text.length > 1 ? { ...token, role: 'word' } : token));
}
