import { hash32 } from '../normalise/hash.ts';
import { romanFold } from '../normalise/sound-keys.ts';
import type { NameForm, NameMode, NameToken, TokenRole } from '../normalise/tokenise.ts';
import { compoundKey, KEY, type TokenTraits } from './token-traits.ts';

/** Weights of what is no word; of words see name-tables.ts. */
export const MINOR_WEIGHT = 0.1;
export const INITIAL_WEIGHT = 0.2;
/** Shorter compounds are too often words of their own. */
const JOINED_LENGTH = 5;

export interface ComparedToken {
  readonly traits: TokenTraits;
  readonly role: TokenRole;
  readonly weight: number;
}

/** One form of a name, ready to be compared. */
export interface ComparedName {
  readonly mode: NameMode;
  readonly script: NameForm['script'];
  readonly tokens: readonly ComparedToken[];
  /** A person's two words, each a syllable of Mandarin: what a million people are called. */
  readonly shortRomanised: boolean;
  /** Letters that may stand for words of the other name. */
  readonly abbreviations: number;
}

export function comparedName(
  form: Pick<NameForm, 'script' | 'tokens'>,
  mode: NameMode,
  traits: (token: NameToken) => TokenTraits,
): ComparedName {
  return nameOf(
    mode,
    form.script,
    form.tokens.map((token) => comparedToken(traits(token), token.role, mode)),
  );
}

export function nameOf(mode: NameMode, script: NameForm['script'], tokens: readonly ComparedToken[]): ComparedName {
  const abbreviations = tokens.reduce((sum, token) => sum + abbreviates(token, mode), 0);
  return {
    mode,
    script,
    tokens,
    abbreviations,
    shortRomanised: mode === 'person' && script !== 'han' && isShortRomanised(tokens),
  };
}

function isShortRomanised(tokens: readonly ComparedToken[]): boolean {
  const words = tokens.filter(({ role }) => role !== 'initial');
  return words.length === 2 && words.every(({ role, traits }) => role !== 'form' && traits.pinyin);
}

export function comparedToken(traits: TokenTraits, role: TokenRole, mode: NameMode): ComparedToken {
  return { traits, role, weight: weightOf(traits, role, mode) };
}

function weightOf(traits: TokenTraits, role: TokenRole, mode: NameMode): number {
  if (role === 'form') return 0;
  if (role === 'minor') return MINOR_WEIGHT;
  if (role === 'initial') return INITIAL_WEIGHT;
  return mode === 'person' ? traits.personWeight : traits.organisationWeight;
}

export const totalWeight = (tokens: readonly ComparedToken[]) => tokens.reduce((sum, { weight }) => sum + weight, 0);

export const hasWord = (tokens: readonly { role: TokenRole }[]) => tokens.some(({ role }) => role === 'word');

/** How many words of the other name the token may abbreviate: "J" one, "JC" two. */
export function abbreviates({ traits, role }: ComparedToken, mode: NameMode): number {
  if (mode !== 'person') return 0;
  if (role === 'initial') return 1;
  return role === 'word' && traits.bare && !traits.han && traits.text.length <= 3 ? traits.text.length : 0;
}

/** Neighbours written as one word. */
export interface Join {
  at: number;
  /** How many: two, or three with a particle among them ("abd al aziz"). */
  span: number;
  /** Of the spelling. */
  key: number;
  /** Of the two syllables of Mandarin that it is, however romanised; 0 if it is not. */
  compound: number;
}

interface Part {
  text: string;
  role: TokenRole;
}

export function joinsOf(tokens: readonly Part[]): Join[] {
  const joins: Join[] = [];
  for (let at = 0; at + 1 < tokens.length; at++)
    for (const span of [2, 3]) {
      const parts = tokens.slice(at, at + span);
      const text = parts.map((part) => part.text).join('');
      if (parts.length < span || text.length < JOINED_LENGTH || !joinable(parts) || !/^[a-z]+$/.test(text)) continue;
      joins.push({
        at,
        span,
        key: hash32(romanFold(text), KEY.fold),
        compound: compoundKey(parts.map((part) => part.text)),
      });
    }
  return joins;
}

function joinable(parts: readonly Part[]): boolean {
  if (parts.some(({ role }) => role === 'form') || !parts.some(({ role }) => role === 'word')) return false;
  return parts.length === 2 || parts.some(({ role }) => role === 'minor');
}
