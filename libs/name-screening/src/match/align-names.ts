import { MAX_TOKENS } from '../normalise/tokenise.ts';
import {
  type ComparedName,
  type ComparedToken,
  INITIAL_WEIGHT,
  type Join,
  weightOfSpan,
} from '../tokens/compared-name.ts';
import { Links } from './links.ts';
import { penaltyOf } from './name-score.ts';
import type { TokenTraits } from '../tokens/token-traits.ts';

export interface AlignedPair {
  query: string | null;
  entry: string | null;
  similarity: number;
}

export interface NameComparison {
  /** 0 to 1, not rounded. */
  score: number;
  /** What was found to be what; worked out only when asked for. */
  pairs: () => AlignedPair[];
  /** Each of two words of a person is a syllable of Mandarin: what half a million people are called. */
  shortRomanised: boolean;
}

/** What two words written as one are worth beside the same in one. */
const JOINED = 0.97;
/** Mao Tse-tung beside Mao Zedong. */
const ROMANISED_JOINED = 0.86;
const INITIAL = 0.9;
/** Of the weight of a word that is only abbreviated, so much counts as missing. */
export const ABBREVIATED = 0.5;
/** A person of whom one word agrees, and others are there. */
export const ONE_WORD = 0.75;
/** Romanised Chinese of two syllables: another syllable is another person. */
const SYLLABLE_EDIT = 0.8;
const ANOTHER_ORDER = 0.01;

/** Which neighbours to try as one word: those of the query, those of the entry. Worked out once per query. */
export interface JoinsToTry {
  query: readonly Join[] | null;
  entry: readonly Join[] | null;
}

/** Similarity of two words by their places, `q` in the query and `e` in the entry. */
export type SimilarityOf = (q: number, e: number) => number;

/** Compares two names word by word, each word with one at most. */
export function alignNames(
  query: ComparedName,
  entry: ComparedName,
  similarityOf: SimilarityOf,
  joins: JoinsToTry,
): NameComparison {
  return {
    score: scoreOfNames(query, entry, similarityOf, joins),
    pairs: () => {
      align(query, entry, similarityOf, joins);
      return pairsOf(query, entry);
    },
    shortRomanised: query.shortRomanised || entry.shortRomanised,
  };
}

/** The score of alignNames alone: nothing is allocated for it. 0 to 1, not rounded. */
export function scoreOfNames(
  query: ComparedName,
  entry: ComparedName,
  similarityOf: SimilarityOf,
  joins: JoinsToTry,
): number {
  align(query, entry, similarityOf, joins);
  return score(query, entry);
}

/** The comparison at hand: links, and which words are taken. Used again by the next one, as nothing here waits. */
const links = new Links();
const sides = {
  query: new Uint8Array(MAX_TOKENS),
  entry: new Uint8Array(MAX_TOKENS),
  /** Weight that stays missing though its word is taken: of abbreviated words. */
  queryLeft: 0,
  entryLeft: 0,
};

function align(query: ComparedName, entry: ComparedName, similarityOf: SimilarityOf, joins: JoinsToTry): void {
  links.clear();
  for (let at = 0; at < query.tokens.length; at++) sides.query[at] = 0;
  for (let at = 0; at < entry.tokens.length; at++) sides.entry[at] = 0;
  sides.queryLeft = 0;
  sides.entryLeft = 0;
  wordLinks(query, entry, similarityOf);
  if (joins.query) joinLinks(query, joins.query, entry, false);
  if (joins.entry) joinLinks(entry, joins.entry, query, true);
  links.sort();
  for (let nth = 0; nth < links.count; nth++) take(links.order[nth] as number);
  if (query.mode === 'person' && (query.abbreviations > 0 || entry.abbreviations > 0)) {
    spell(query, sides.query, entry, sides.entry, false);
    spell(entry, sides.entry, query, sides.query, true);
  }
}

function wordLinks(query: ComparedName, entry: ComparedName, similarityOf: SimilarityOf): void {
  const strict = query.shortRomanised || entry.shortRomanised;
  for (let q = 0; q < query.tokens.length; q++) {
    const token = query.tokens[q] as ComparedToken;
    if (token.role === 'form') continue;
    for (let e = 0; e < entry.tokens.length; e++) {
      const other = entry.tokens[e] as ComparedToken;
      if (token.role !== other.role) continue;
      const similarity = token.role === 'word' ? similarityOf(q, e) : Number(token.traits.text === other.traits.text);
      if (similarity === 0) continue;
      const another = strict && similarity < 1 && !sameSyllable(token.traits, other.traits);
      links.add(q, 1, e, 1, another ? similarity * SYLLABLE_EDIT : similarity, Math.min(token.weight, other.weight));
    }
  }
}

/** One syllable in two romanisations. */
const sameSyllable = (a: TokenTraits, b: TokenTraits) =>
  a.mandarin !== 0 && a.mandarin === b.mandarin && !(a.pinyin && b.pinyin);

/** Two neighbours of `split` that are one word of `whole`. */
function joinLinks(split: ComparedName, joins: readonly Join[], whole: ComparedName, swapped: boolean): void {
  for (const join of joins) {
    const { at, span, key, compound } = join;
    for (const [place, { role, traits, weight: own }] of whole.tokens.entries()) {
      const spelledAlike = traits.fold === key;
      if (role !== 'word' || !(spelledAlike || (compound !== 0 && traits.compound === compound))) continue;
      const similarity = spelledAlike ? JOINED : ROMANISED_JOINED;
      const weight = Math.min(weightOfSpan(split, join), own);
      if (swapped) links.add(place, 1, at, span, similarity, weight);
      else links.add(at, span, place, 1, similarity, weight);
    }
  }
}

const weightAt = (name: ComparedName, at: number) => (name.tokens[at] as ComparedToken).weight;

/** Chooses a link if its words are still free. */
function take(link: number): void {
  const [query, querySpan] = [links.query[link] as number, links.querySpan[link] as number];
  const [entry, entrySpan] = [links.entry[link] as number, links.entrySpan[link] as number];
  if (isTaken(sides.query, query, querySpan) || isTaken(sides.entry, entry, entrySpan)) return;
  for (let at = query; at < query + querySpan; at++) sides.query[at] = 1;
  for (let at = entry; at < entry + entrySpan; at++) sides.entry[at] = 1;
  links.choose(link);
}

function isTaken(used: Uint8Array, from: number, span: number): boolean {
  for (let at = from; at < from + span; at++) if (used[at] !== 0) return true;
  return false;
}

/** "J" and "JC" for words that begin so and are still free. `swapped`: the short name is that of the entry. */
function spell(short: ComparedName, used: Uint8Array, long: ComparedName, free: Uint8Array, swapped: boolean): void {
  if (short.abbreviations === 0) return;
  for (let at = 0; at < short.tokens.length; at++) {
    const token = short.tokens[at] as ComparedToken;
    const letters = used[at] ? 0 : token.abbreviates;
    const places = letters > 0 ? freeWords(long, free, token.traits.text) : null;
    if (!places) continue;
    used[at] = 1;
    for (const place of places) {
      free[place] = 1;
      const left = ABBREVIATED * weightAt(long, place);
      if (swapped) sides.queryLeft += left;
      else sides.entryLeft += left;
      links.choose(links.add(swapped ? place : at, 1, swapped ? at : place, 1, INITIAL, INITIAL_WEIGHT));
    }
  }
}

/** For each letter a free word that begins with it, in their order; null unless there is one for each. */
function freeWords({ tokens }: ComparedName, used: Uint8Array, letters: string): number[] | null {
  const places: number[] = [];
  let place = 0;
  for (const letter of letters) {
    while (place < tokens.length && !(used[place] === 0 && startsWith(tokens[place] as ComparedToken, letter))) place++;
    if (place === tokens.length) return null;
    places.push(place++);
  }
  return places;
}

const startsWith = ({ role, traits }: ComparedToken, letter: string) => role === 'word' && traits.text[0] === letter;

function score(query: ComparedName, entry: ComparedName): number {
  let [alike, matched, words] = [0, 0, 0];
  for (let nth = 0; nth < links.chosenCount; nth++) {
    const link = links.chosen[nth] as number;
    alike += (links.similarity[link] as number) * (links.weight[link] as number);
    matched += links.weight[link] as number;
    const [q, e] = [query.tokens[links.query[link] as number], entry.tokens[links.entry[link] as number]];
    // Words that agree; several written as one are several.
    if (q?.role !== 'minor' && e?.role !== 'minor')
      words += Math.max(links.querySpan[link] as number, links.entrySpan[link] as number);
  }
  if (matched <= 0) return 0;
  const unmatched = sides.queryLeft + free(query, sides.query);
  const unmatchedOther = sides.entryLeft + free(entry, sides.entry);
  let value = alike / (matched + penaltyOf(entry.mode, alike, unmatched, unmatchedOther));
  if (entry.mode === 'person' && words < 2 && (spare(query, sides.query) || spare(entry, sides.entry)))
    value *= ONE_WORD;
  return Math.max(0, outOfOrder() ? value - ANOTHER_ORDER : value);
}

function free({ tokens }: ComparedName, used: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < tokens.length; at++) if (used[at] === 0) total += (tokens[at] as ComparedToken).weight;
  return total;
}

function spare({ tokens }: ComparedName, used: Uint8Array): boolean {
  for (let at = 0; at < tokens.length; at++) if (used[at] === 0 && tokens[at]?.role === 'word') return true;
  return false;
}

/** Whether what agrees stands in another order. */
function outOfOrder(): boolean {
  links.sortChosen();
  for (let nth = 1; nth < links.chosenCount; nth++)
    if ((links.entry[links.chosen[nth] as number] as number) < (links.entry[links.chosen[nth - 1] as number] as number))
      return true;
  return false;
}

function pairsOf(query: ComparedName, entry: ComparedName): AlignedPair[] {
  const words = ({ tokens }: ComparedName, at: number, span: number) =>
    tokens
      .slice(at, at + span)
      .map(({ traits }) => traits.text)
      .join(' ');
  const placed = Array.from(links.chosen.subarray(0, links.chosenCount), (link) => {
    const [q, e] = [links.query[link] as number, links.entry[link] as number];
    const pair: AlignedPair = {
      query: words(query, q, links.querySpan[link] as number),
      entry: words(entry, e, links.entrySpan[link] as number),
      similarity: round4(links.similarity[link] as number),
    };
    return { q, e, pair };
  });
  const alone = (tokens: readonly ComparedToken[], used: Uint8Array) =>
    [...tokens.keys()].filter((at) => used[at] === 0);
  const text = ({ tokens }: ComparedName, at: number) => (tokens[at] as ComparedToken).traits.text;
  for (const q of alone(query.tokens, sides.query))
    placed.push({ q, e: 0, pair: { query: text(query, q), entry: null, similarity: 0 } });
  placed.sort((a, b) => a.q - b.q || a.e - b.e);
  return [
    ...placed.map(({ pair }) => pair),
    ...alone(entry.tokens, sides.entry).map((e) => ({ query: null, entry: text(entry, e), similarity: 0 })),
  ];
}

export const round4 = (value: number) => Math.round(value * 10_000) / 10_000;
