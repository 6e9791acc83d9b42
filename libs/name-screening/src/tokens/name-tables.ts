import { KNOWN_NAMES, NICKNAMES, ORGANISATION_WORDS } from './known-names.ts';
import { OFAC_TOKEN_CLASSES } from './ofac-token-classes.ts';
import { TITLES } from '../normalise/small-words.ts';
import { isPinyin } from '../normalise/sound-keys.ts';
import type { NameMode } from '../normalise/tokenise.ts';

/**
 * How much a word says about who is meant: 1 for a word of no table, down to 0.35 for one that every tenth name has. The tables
 * are part of the library and of MATCHER_VERSION: weights taken from the loaded lists would let a new entry change the score of
 * an old one, and a rescreening of changed entries would not equal a full one.
 */
const WEIGHT = { 1: 0.35, 2: 0.5, 3: 0.7 } as const;
const UNKNOWN = 1;
const PATRONYMIC = 0.4;
const TITLE = 0.2;
/** Of a short word without a meaning that the tables know: "mu", "kb". */
const SHORT = 0.4;
/** Of a syllable of Mandarin: there are four hundred of them. */
const SYLLABLE = 0.5;
/** A person's name in the name of an organization is rarer there. */
const PERSON_IN_ORGANISATION = 0.8;

const PATRONYMIC_END = /(?:[ou]v[iy]t?ch|ev[iy]t?ch|yovych|ovna|evna|ivna|ichna|ogly|oglu|ogli|uulu|qizi|kyzy)$/;

type Classes = Record<1 | 2 | 3, string>;
const LEVELS = [1, 2, 3] as const;
const split = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const person = new Map<string, number>();
const organisation = new Map<string, number>();
const groups = new Map<string, number[]>();
const nicknames = new Map<string, number[]>();

function weigh(weights: Map<string, number>, classes: Classes): void {
  for (const level of LEVELS)
    for (const word of split(classes[level]).flatMap((names) => names.split('=')))
      weights.set(word, Math.min(weights.get(word) ?? 1, WEIGHT[level]));
}

function group(index: Map<string, number[]>, groupsText: string, first: number): number {
  let id = first;
  for (const names of split(groupsText)) {
    for (const name of names.split('=')) index.set(name, [...(index.get(name) ?? []), id]);
    id += 1;
  }
  return id;
}

weigh(person, KNOWN_NAMES);
weigh(person, OFAC_TOKEN_CLASSES.person);
weigh(organisation, ORGANISATION_WORDS);
weigh(organisation, OFAC_TOKEN_CLASSES.organisation);
let next = 1;
for (const level of LEVELS) next = group(groups, KNOWN_NAMES[level], next);
group(nicknames, NICKNAMES, next);

/** How much a word weighs in a name of this mode. 0.35 to 1; the same forever within a MATCHER_VERSION. */
export function wordWeight(word: string, mode: NameMode): number {
  if (mode === 'organisation')
    return organisation.get(word) ?? (person.has(word) ? PERSON_IN_ORGANISATION : fallback(word));
  if (TITLES.has(word)) return TITLE;
  return person.get(word) ?? (word.length > 6 && PATRONYMIC_END.test(word) ? PATRONYMIC : fallback(word));
}

const fallback = (word: string) => (isPinyin(word) ? SYLLABLE : word.length <= 2 ? SHORT : UNKNOWN);

const NONE: readonly number[] = [];

/** The known names that a word spells; empty for a word that no table knows. */
export const knownGroups = (word: string): readonly number[] => groups.get(word) ?? NONE;

/** The names that a word is, or is short for. */
export const nicknameGroups = (word: string): readonly number[] => nicknames.get(word) ?? NONE;
