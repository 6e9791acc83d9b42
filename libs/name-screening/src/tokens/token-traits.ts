import { hash32 } from '../normalise/hash.ts';
import { consonantSkeleton, isPinyin, lacksVowels, mandarinKey, romanFold } from '../normalise/sound-keys.ts';
import { foldHead } from '../normalise/small-words.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import { doubleMetaphone } from 'double-metaphone';
import { knownGroups, nicknameGroups, wordWeight } from './name-tables.ts';

/** Seeds of the kinds of key, so that keys of different kinds do not meet. */
export const KEY = {
  text: 1,
  deletion: 2,
  fold: 3,
  skeleton: 4,
  sound: 5,
  group: 6,
  mandarin: 7,
  compound: 8,
} as const;

/** All that similarity needs to know of a word. Hashes are 32 bits, 0 for none. */
export interface TokenTraits {
  readonly text: string;
  readonly digits: boolean;
  readonly han: boolean;
  /** No vowels: from a script that writes none. */
  readonly bare: boolean;
  readonly pinyin: boolean;
  readonly fold: number;
  readonly skeleton: number;
  readonly skeletonLength: number;
  readonly sound: number;
  readonly mandarin: number;
  /** Of the two syllables of Mandarin that the word may be, however they are romanised. */
  readonly compound: number;
  readonly known: readonly number[];
  readonly nicknames: readonly number[];
  readonly personWeight: number;
  readonly organisationWeight: number;
}

/** The part of the traits that an index stores, as it takes long to work out. */
export type StoredTraits = Pick<
  TokenTraits,
  'fold' | 'skeleton' | 'sound' | 'mandarin' | 'compound' | 'skeletonLength' | 'digits' | 'han' | 'bare' | 'pinyin'
>;

export const weightIn = (mode: NameMode, word: TokenTraits): number =>
  mode === 'person' ? word.personWeight : word.organisationWeight;

export function traitsOf(text: string): TokenTraits {
  return withTables(text, storedTraits(text));
}

function storedTraits(text: string): StoredTraits {
  const digits = /\d/.test(text);
  const han = /[^\x00-\x7f]/.test(text); // all else is ASCII by now
  const none = {
    fold: 0,
    skeleton: 0,
    sound: 0,
    mandarin: 0,
    compound: 0,
    skeletonLength: 0,
    digits,
    han,
    bare: false,
    pinyin: false,
  };
  if (digits || han || text.length < 2) return none;
  const skeleton = consonantSkeleton(text);
  const sound = text.length > 3 ? doubleMetaphone(text)[0] : '';
  const mandarin = mandarinKey(text);
  return {
    ...none,
    fold: text.length > 2 ? foldKey(text) : 0,
    skeleton: skeleton.length > 1 ? hash32(skeleton, KEY.skeleton) : 0,
    skeletonLength: skeleton.length,
    sound: sound.length > 1 ? hash32(sound, KEY.sound) : 0,
    mandarin: mandarin === null ? 0 : hash32(mandarin, KEY.mandarin),
    compound: compoundKey(syllables(text)),
    bare: lacksVowels(text),
    pinyin: isPinyin(text),
  };
}

export function withTables(text: string, stored: StoredTraits): TokenTraits {
  return {
    text,
    ...stored,
    known: knownGroups(text),
    nicknames: nicknameGroups(text),
    personWeight: wordWeight(text, 'person'),
    organisationWeight: wordWeight(text, 'organisation'),
  };
}

/** A key of the spelling, the same in all romanisations, and of compounds whatever language their second part is in. */
export const foldKey = (text: string): number => hash32(romanFold(foldHead(text)), KEY.fold);

/** A key of two syllables of Mandarin, the same for Pinyin and Wade-Giles; 0 for all else. */
export function compoundKey(parts: readonly string[]): number {
  const keys = parts.map(mandarinKey);
  return keys.length === 2 && !keys.includes(null) ? hash32(keys.join('+'), KEY.compound) : 0;
}

/** A word as two syllables in Pinyin, the first as long as it can be. */
function syllables(word: string): string[] {
  for (let at = Math.min(6, word.length - 2); at > 1; at--)
    if (isPinyin(word.slice(0, at)) && isPinyin(word.slice(at))) return [word.slice(0, at), word.slice(at)];
  return [];
}
