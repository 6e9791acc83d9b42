import { damerau } from './damerau.ts';
import { editsAllowed } from './deletion-keys.ts';
import type { TokenTraits } from './token-traits.ts';

/** What a relation of two words that are not the same is worth. */
const WORTH = {
  knownSpelling: 0.96,
  romanFold: 0.94,
  skeleton: 0.84,
  mandarin: 0.86,
  /** Both are Pinyin, and one may be Wade-Giles for the other: Teng and Deng. */
  perhapsMandarin: 0.7,
  bare: 0.9,
  /** Two consonants: Moore, Amari and Omar have the same. */
  shortBare: 0.72,
  nickname: 0.55,
  sound: 0.78,
  han: 0.8,
};
/** Lost per edit, in shares of the longer word. */
const EDIT = 0.85;
/** One edit of a short word, by ten times the length of the shorter one and that of the longer one. */
const SHORT_EDIT = new Map([
  [10 * 2 + 3, 0.5],
  [10 * 3 + 3, 0.7],
  [10 * 3 + 4, 0.76],
]);
/** One edit between two names that are both known: Mario and Maria are two, but one may be a slip for the other. */
const KNOWN_EDIT = 0.25;

/** Words with the same consonants are others all the same when more than this share of their letters differ. */
const SKELETON_EDITS = 0.45;

/** Wen and Wei are two names before one of them is a slip. */
const OTHER_SYLLABLE = 0.6;

/** Of names in East Asian script: shorter ones are others as soon as one character is. */
const HAN_EDIT_LENGTH = 5;

/**
 * How far two words may be the same one, 0 to 1; symmetric, and of nothing but the two words. Whatever is above 0 is found by
 * tokenKeys: two words that are alike share a key.
 */
export function similarity(a: TokenTraits, b: TokenTraits): number {
  if (a.text === b.text) return 1;
  if (a.digits || b.digits) return 0;
  if (a.han || b.han) return hanSimilarity(a, b);
  return sameName(a, b) ?? Math.max(edited(a, b), soundsAlike(a, b));
}

/** What the tables and the folds of spelling say; null if they say nothing. */
function sameName(a: TokenTraits, b: TokenTraits): number | null {
  if (shareOne(a.known, b.known)) return WORTH.knownSpelling;
  if (shareOne(a.nicknames, b.nicknames)) return WORTH.nickname;
  if (a.mandarin !== 0 && a.mandarin === b.mandarin)
    return a.pinyin && b.pinyin ? WORTH.perhapsMandarin : WORTH.mandarin;
  const sameFold = a.fold !== 0 && a.fold === b.fold;
  if (a.known.length > 0 && b.known.length > 0)
    return sameFold && !(a.pinyin && b.pinyin) ? WORTH.romanFold : knownEdit(a, b);
  return sameFold ? WORTH.romanFold : null;
}

function edited(a: TokenTraits, b: TokenTraits): number {
  const short = Math.min(a.text.length, b.text.length);
  const long = Math.max(a.text.length, b.text.length);
  const allowed = short === 2 && long === 3 ? 1 : editsAllowed(short);
  if (allowed === 0) return 0;
  const edits = damerau(a.text, b.text, allowed);
  if (edits > allowed) return 0;
  const alike = (short < 4 ? SHORT_EDIT.get(10 * short + long) : undefined) ?? 1 - (EDIT * edits) / long;
  return a.pinyin && b.pinyin ? alike * OTHER_SYLLABLE : alike;
}

function knownEdit(a: TokenTraits, b: TokenTraits): number {
  if ((a.pinyin && b.pinyin) || Math.min(a.text.length, b.text.length) < 3) return 0;
  return damerau(a.text, b.text, 1) === 1 ? KNOWN_EDIT : 0;
}

function soundsAlike(a: TokenTraits, b: TokenTraits): number {
  const short = Math.min(a.text.length, b.text.length);
  if (a.skeleton !== 0 && a.skeleton === b.skeleton) {
    if (a.bare !== b.bare) return a.skeletonLength > 2 ? WORTH.bare : WORTH.shortBare;
    const most = Math.max(2, Math.floor(SKELETON_EDITS * Math.max(a.text.length, b.text.length)));
    if (a.skeletonLength > 2 && damerau(a.text, b.text, most) <= most) return WORTH.skeleton;
  }
  if (a.sound === 0 || a.sound !== b.sound || short < 5) return 0;
  const most = Math.floor(short / 2);
  return damerau(a.text, b.text, most) <= most ? WORTH.sound : 0;
}

function hanSimilarity(a: TokenTraits, b: TokenTraits): number {
  if (!a.han || !b.han || Math.min(a.text.length, b.text.length) < HAN_EDIT_LENGTH) return 0;
  return damerau(a.text, b.text, 1) === 1 ? WORTH.han : 0;
}

const shareOne = (a: readonly number[], b: readonly number[]) =>
  a.length > 0 && b.length > 0 && a.some((id) => b.includes(id));
