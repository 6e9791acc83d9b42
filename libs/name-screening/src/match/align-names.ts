import { abbreviates, type ComparedName, type ComparedToken, INITIAL_WEIGHT, type Join } from './compared-name.ts';
import type { TokenTraits } from './token-traits.ts';
import { penaltyOf } from './name-score.ts';

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
const ONE_WORD = 0.75;
/** Romanised Chinese of two syllables: another syllable is another person. */
const SYLLABLE_EDIT = 0.8;
const ANOTHER_ORDER = 0.01;

interface Link {
  query: number;
  querySpan: number;
  entry: number;
  entrySpan: number;
  similarity: number;
  weight: number;
}

/** Which neighbours to try as one word: those of the query, those of the entry. Worked out once per query. */
export interface JoinsToTry {
  query: readonly Join[] | null;
  entry: readonly Join[] | null;
}

/** Compares two names word by word, each word with one at most. `similarityOf(q, e)` gives that of two words by their places. */
export function alignNames(
  query: ComparedName,
  entry: ComparedName,
  similarityOf: (q: number, e: number) => number,
  joins: JoinsToTry,
): NameComparison {
  const strict = query.shortRomanised || entry.shortRomanised;
  const links = wordLinks(query, entry, similarityOf, strict);
  if (joins.query) joinLinks(links, query, joins.query, entry, false);
  if (joins.entry) joinLinks(links, entry, joins.entry, query, true);
  if (links.length > 1) links.sort(byGain);
  const sides = new Sides(query, entry);
  const chosen = links.filter((link) => sides.take(link));
  if (query.abbreviations || entry.abbreviations) chosen.push(...initialLinks(query, entry, sides));
  return {
    score: score(query, entry, chosen, sides),
    pairs: () => pairsOf(query, entry, chosen),
    shortRomanised: strict,
  };
}

function wordLinks(
  query: ComparedName,
  entry: ComparedName,
  similarityOf: (q: number, e: number) => number,
  strict: boolean,
): Link[] {
  const links: Link[] = [];
  for (let q = 0; q < query.tokens.length; q++)
    for (let e = 0; e < entry.tokens.length; e++) {
      const [token, other] = [query.tokens[q] as ComparedToken, entry.tokens[e] as ComparedToken];
      if (token.role !== other.role || token.role === 'form') continue;
      const similarity = token.role === 'word' ? similarityOf(q, e) : Number(token.traits.text === other.traits.text);
      if (similarity === 0) continue;
      const another = strict && similarity < 1 && !sameSyllable(token.traits, other.traits);
      const weight = Math.min(token.weight, other.weight);
      links.push({
        query: q,
        querySpan: 1,
        entry: e,
        entrySpan: 1,
        similarity: another ? similarity * SYLLABLE_EDIT : similarity,
        weight,
      });
    }
  return links;
}

/** One syllable in two romanisations. */
const sameSyllable = (a: TokenTraits, b: TokenTraits) =>
  a.mandarin !== 0 && a.mandarin === b.mandarin && !(a.pinyin && b.pinyin);

/** Two neighbours of `split` that are one word of `whole`. */
function joinLinks(
  links: Link[],
  split: ComparedName,
  joins: readonly Join[],
  whole: ComparedName,
  swapped: boolean,
): void {
  for (const { at, span, key, compound } of joins)
    for (const [place, { role, traits, weight: own }] of whole.tokens.entries()) {
      const spelledAlike = traits.fold === key;
      if (role !== 'word' || !(spelledAlike || (compound !== 0 && traits.compound === compound))) continue;
      const one = {
        similarity: spelledAlike ? JOINED : ROMANISED_JOINED,
        weight: Math.min(weightOfSpan(split, at, span), own),
      };
      if (swapped) links.push({ ...one, query: place, querySpan: 1, entry: at, entrySpan: span });
      else links.push({ ...one, query: at, querySpan: span, entry: place, entrySpan: 1 });
    }
}

const weightOfSpan = ({ tokens }: ComparedName, at: number, span: number) =>
  tokens.slice(at, at + span).reduce((sum, { weight }) => sum + weight, 0);
const weightAt = (name: ComparedName, at: number) => (name.tokens[at] as ComparedToken).weight;

/** What gains most first; among equals what stands in like places. The same whichever name is called the query. */
function byGain(a: Link, b: Link): number {
  return (
    b.similarity * b.weight - a.similarity * a.weight ||
    b.similarity - a.similarity ||
    Math.abs(a.query - a.entry) - Math.abs(b.query - b.entry) ||
    a.query + a.entry - (b.query + b.entry) ||
    a.query - b.query
  );
}

/** Which words of either name are taken. */
class Sides {
  readonly query: Uint8Array;
  readonly entry: Uint8Array;
  /** Weight that stays missing though its word is taken: of abbreviated words. */
  queryLeft = 0;
  entryLeft = 0;

  constructor(query: ComparedName, entry: ComparedName) {
    this.query = new Uint8Array(query.tokens.length);
    this.entry = new Uint8Array(entry.tokens.length);
  }

  take({ query, querySpan, entry, entrySpan }: Link): boolean {
    if (isTaken(this.query, query, querySpan) || isTaken(this.entry, entry, entrySpan)) return false;
    this.query.fill(1, query, query + querySpan);
    this.entry.fill(1, entry, entry + entrySpan);
    return true;
  }
}

const isTaken = (used: Uint8Array, at: number, span: number) => used.subarray(at, at + span).includes(1);

/** "J" and "JC" for words that begin so and are still free. */
function initialLinks(query: ComparedName, entry: ComparedName, sides: Sides): Link[] {
  const found: Link[] = [];
  const spell = (short: ComparedName, used: Uint8Array, long: ComparedName, free: Uint8Array, swapped: boolean) => {
    for (const [at, token] of short.tokens.entries()) {
      const letters = used[at] ? 0 : abbreviates(token, short.mode);
      const places = letters > 0 ? freeWords(long, free, token.traits.text) : null;
      if (!places) continue;
      used[at] = 1;
      for (const place of places) {
        free[place] = 1;
        const left = ABBREVIATED * weightAt(long, place);
        if (swapped) sides.queryLeft += left;
        else sides.entryLeft += left;
        const [q, e] = swapped ? [place, at] : [at, place];
        found.push({ query: q, querySpan: 1, entry: e, entrySpan: 1, similarity: INITIAL, weight: INITIAL_WEIGHT });
      }
    }
  };
  if (query.mode !== 'person') return found;
  spell(query, sides.query, entry, sides.entry, false);
  spell(entry, sides.entry, query, sides.query, true);
  return found;
}

/** For each letter a free word that begins with it, in their order; null unless there is one for each. */
function freeWords(name: ComparedName, used: Uint8Array, letters: string): number[] | null {
  const places: number[] = [];
  for (const letter of letters) {
    const place = name.tokens.findIndex(
      ({ traits, role }, at) => !used[at] && role === 'word' && at > (places.at(-1) ?? -1) && traits.text[0] === letter,
    );
    if (place < 0) return null;
    places.push(place);
  }
  return places;
}

function score(query: ComparedName, entry: ComparedName, chosen: Link[], sides: Sides): number {
  const alike = sum(chosen, ({ similarity, weight }) => similarity * weight);
  const matched = sum(chosen, ({ weight }) => weight);
  if (matched <= 0) return 0;
  const unmatched = sides.queryLeft + free(query, sides.query);
  const unmatchedOther = sides.entryLeft + free(entry, sides.entry);
  let value = alike / (matched + penaltyOf(entry.mode, alike, unmatched, unmatchedOther));
  if (
    entry.mode === 'person' &&
    wordsIn(chosen, query, entry) < 2 &&
    (spare(query, sides.query) || spare(entry, sides.entry))
  )
    value *= ONE_WORD;
  return Math.max(0, outOfOrder(chosen) ? value - ANOTHER_ORDER : value);
}

const sum = (links: Link[], of: (link: Link) => number) => links.reduce((total, link) => total + of(link), 0);
const free = (name: ComparedName, used: Uint8Array) =>
  name.tokens.reduce((total, { weight }, at) => (used[at] ? total : total + weight), 0);
const spare = (name: ComparedName, used: Uint8Array) =>
  name.tokens.some(({ role }, at) => role === 'word' && !used[at]);

/** Words that agree; several written as one are several. */
function wordsIn(chosen: Link[], query: ComparedName, entry: ComparedName): number {
  const agreed = chosen.filter(
    ({ query: q, entry: e }) => query.tokens[q]?.role !== 'minor' && entry.tokens[e]?.role !== 'minor',
  );
  return agreed.reduce((words, { querySpan, entrySpan }) => words + Math.max(querySpan, entrySpan), 0);
}

function outOfOrder(chosen: Link[]): boolean {
  if (chosen.length < 2) return false;
  const placed = chosen.toSorted((a, b) => a.query - b.query);
  return placed.some(({ entry }, nth) => nth > 0 && entry < (placed[nth - 1] as Link).entry);
}

function pairsOf(query: ComparedName, entry: ComparedName, chosen: Link[]): AlignedPair[] {
  const words = ({ tokens }: ComparedName, at: number, span: number) =>
    tokens
      .slice(at, at + span)
      .map(({ traits }) => traits.text)
      .join(' ');
  const placed = chosen.toSorted((a, b) => a.query - b.query || a.entry - b.entry);
  const places = (at: number, span: number) => Array.from({ length: span }, (_, nth) => at + nth);
  const taken = new Set(placed.flatMap(({ query: q, querySpan }) => places(q, querySpan)));
  const takenByEntry = new Set(placed.flatMap(({ entry: e, entrySpan }) => places(e, entrySpan)));
  const pairs = placed.map(({ query: q, querySpan, entry: e, entrySpan, similarity }) => ({
    at: q,
    pair: { query: words(query, q, querySpan), entry: words(entry, e, entrySpan), similarity: round4(similarity) },
  }));
  for (const [at, { traits }] of query.tokens.entries())
    if (!taken.has(at))
      pairs.push({ at, pair: { query: traits.text, entry: null as unknown as string, similarity: 0 } });
  pairs.sort((a, b) => a.at - b.at);
  const rest = entry.tokens.filter((_, at) => !takenByEntry.has(at));
  return [
    ...pairs.map(({ pair }) => pair),
    ...rest.map(({ traits }) => ({ query: null, entry: traits.text, similarity: 0 })),
  ];
}

export const round4 = (value: number) => Math.round(value * 10_000) / 10_000;
