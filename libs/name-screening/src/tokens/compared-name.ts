import type { NameForm, NameMode, NameToken, TokenRole } from '../normalise/tokenise.ts';
import { RecentMap } from '../recent-map.ts';
import { compoundKey, foldKey, type TokenTraits, weightIn } from './token-traits.ts';

/** Weights of what is no word; of words see name-tables.ts. */
export const MINOR_WEIGHT = 0.1;
export const INITIAL_WEIGHT = 0.2;
/** Shorter compounds are too often words of their own. */
export const JOINED_LENGTH = 5;

export interface ComparedToken {
  readonly traits: TokenTraits;
  readonly role: TokenRole;
  readonly weight: number;
  /** How many words of the other name it may abbreviate: "J" one, "JC" two. */
  readonly abbreviates: number;
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
  traits: (token: NameToken, at: number) => TokenTraits,
): ComparedName {
  return nameOf(
    mode,
    form.script,
    form.tokens.map((token, at) => comparedToken(traits(token, at), token.role, mode)),
  );
}

export function nameOf(mode: NameMode, script: NameForm['script'], tokens: readonly ComparedToken[]): ComparedName {
  const abbreviations = tokens.reduce((sum, token) => sum + token.abbreviates, 0);
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
  return { traits, role, weight: weightOf(traits, role, mode), abbreviates: abbreviatedBy(traits, role, mode) };
}

function abbreviatedBy({ text, bare, han }: TokenTraits, role: TokenRole, mode: NameMode): number {
  if (mode !== 'person') return 0;
  if (role === 'initial') return 1;
  return role === 'word' && bare && !han && text.length <= 3 ? text.length : 0;
}

function weightOf(traits: TokenTraits, role: TokenRole, mode: NameMode): number {
  if (role === 'form') return 0;
  if (role === 'minor') return MINOR_WEIGHT;
  if (role === 'initial') return INITIAL_WEIGHT;
  return weightIn(mode, traits);
}

export const totalWeight = (tokens: readonly ComparedToken[]) => tokens.reduce((sum, { weight }) => sum + weight, 0);

export function weightOfSpan(
  { tokens }: Pick<ComparedName, 'tokens'>,
  { at, span }: { at: number; span: number },
): number {
  let total = 0;
  for (let nth = at; nth < at + span; nth++) total += (tokens[nth] as ComparedToken).weight;
  return total;
}

export const hasWord = (tokens: readonly { role: TokenRole }[]) => tokens.some(({ role }) => role === 'word');

/** Neighbours written as one word. */
export interface Join {
  at: number;
  /** How many: two, or three, in names of people with a particle among them ("abd al aziz"). */
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

/** `mode`: three words are one in names of organizations alone ("Dive Techno Services"). */
export function joinsOf(tokens: readonly Part[], mode: NameMode): Join[] {
  const joins: Join[] = [];
  for (let at = 0; at + 1 < tokens.length; at++)
    for (const span of [2, 3]) {
      if (at + span > tokens.length || !joinable(tokens, at, span, mode)) continue;
      const written =
        span === 2
          ? `${tokens[at]?.text} ${tokens[at + 1]?.text}`
          : `${tokens[at]?.text} ${tokens[at + 1]?.text} ${tokens[at + 2]?.text}`;
      const keys = joinKeys.get(written) ?? keysOfJoin(written);
      if (keys.key !== 0) joins.push({ at, span, ...keys });
    }
  return joins;
}

type JoinKeys = Pick<Join, 'key' | 'compound'>;
const NO_JOIN: JoinKeys = { key: 0, compound: 0 };

/** Neighbours that came last: people share their surnames, and both readings of a name its neighbours. */
const joinKeys = new RecentMap<string, JoinKeys>(20_000);

function keysOfJoin(written: string): JoinKeys {
  const text = written.replaceAll(' ', '');
  const joined = text.length >= JOINED_LENGTH && /^[a-z]+$/.test(text);
  const keys = joined ? { key: foldKey(text), compound: compoundKey(written.split(' ')) } : NO_JOIN;
  joinKeys.set(written, keys);
  return keys;
}

function joinable(tokens: readonly Part[], at: number, span: number, mode: NameMode): boolean {
  let [words, particles] = [0, 0];
  for (let nth = at; nth < at + span; nth++) {
    const role = tokens[nth]?.role;
    if (role === 'form') return false;
    if (role === 'word') words += 1;
    if (role === 'minor') particles += 1;
  }
  return words > 0 && (span === 2 || particles > 0 || mode === 'organisation');
}
