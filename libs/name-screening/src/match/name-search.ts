import type { ListIndex } from '../index/list-index.ts';
import { type NamePartition, ROLES, SCRIPTS } from '../index/name-partition.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import { alignNames, type JoinsToTry, type NameComparison, scoreOfNames, type SimilarityOf } from './align-names.ts';
import { type ComparedName, comparedToken, hasWord, joinsOf, nameOf } from '../tokens/compared-name.ts';
import {
  boundOfRest,
  ENTRY_JOINED,
  JOINED_HEAVIEST,
  NameSums,
  QUERY_JOINED,
  WORD,
  type WordsLeft,
} from './name-sums.ts';
import { type Neighbours, NeighbourCache } from './neighbours.ts';
import type { PreparedForm, PreparedQuery, QueryWord } from './prepared-query.ts';
import { similarity } from '../tokens/token-similarity.ts';
import { type TokenTraits, weightIn } from '../tokens/token-traits.ts';

/** Sums of single-precision numbers, and of weights in another order. */
export const SLACK = 1e-3;

/** Looking up the words of one candidate takes as long as adding a word to the sums of so many names. */
const NAMES_PER_CANDIDATE = 20;

export type FoundName = (name: number, comparison: NameComparison, partition: NamePartition) => void;

/** A word of the query as one list knows it. */
interface SearchedWord {
  weight: number;
  times: number;
  /** Weight of all the times that the query has it. */
  all: number;
  near: Neighbours;
}

/** One form of the query as it is searched in one partition. */
interface FormSearch {
  partition: NamePartition;
  form: PreparedForm;
  /** Per token of the form; null for what is no word. */
  near: readonly (Neighbours | null)[];
  sums: NameSums;
  /** Bounds below this are not looked at. */
  least: number;
  /** Words of which only names with initials have the sums, and all that they may add. */
  rest: readonly SearchedWord[];
  left: WordsLeft;
}

/**
 * Names of one list that are like a name. Looks up each word's neighbours, sums per name what they could come to, and compares only
 * the names whose upper bound reaches the cut: what is found is what comparing every name would find (name-search.spec.ts).
 */
export class NameSearch {
  private readonly neighbours: NeighbourCache;
  private readonly sums: Record<NameMode, NameSums>;

  /** Names that were compared once. */
  private readonly names: Record<NameMode, (ComparedName | undefined)[]>;

  constructor(private readonly index: ListIndex) {
    const { person, organisation } = index.parts;
    this.names = { person: new Array<undefined>(person.size), organisation: new Array<undefined>(organisation.size) };
    this.neighbours = new NeighbourCache(index);
    this.sums = { person: new NameSums(person.size), organisation: new NameSums(organisation.size) };
  }

  /** Calls back with every name whose comparison reaches the cut. */
  each(prepared: PreparedQuery, cut: number, found: FoundName): void {
    for (const mode of ['person', 'organisation'] as const) {
      const partition = this.index.parts[mode];
      if (partition.size > 0)
        for (const form of prepared.forms[mode]) this.searchForm(partition, form, prepared.han, cut, found);
    }
  }

  private searchForm(partition: NamePartition, form: PreparedForm, han: boolean, cut: number, found: FoundName): void {
    if (form.wordless) return;
    const near = form.words.map((word) => (word ? this.neighbours.of(word.traits, word.keys) : null));
    const sums = this.sums[partition.mode];
    const left = { count: 0, weight: 0 };
    const search: FormSearch = { partition, form, near, sums, least: cut - SLACK, rest: [], left };
    this.gather(search);
    const { tokens, tokenStarts } = partition.columns;
    let first = 0;
    const similarityOf: SimilarityOf = (q, e) => near[q]?.byId.get(tokens[first + e] as number) ?? 0;
    for (let nth = 0; nth < sums.count; nth++) {
      const name = sums.touched[nth] as number;
      if (!this.mayReach(search, name) || !this.scriptsMeet(partition, form, han, name)) continue;
      const entry = this.nameAt(partition, name);
      const joins = joinsToTry(form, entry, sums.marks[name] as number);
      const start = (first = tokenStarts[name] as number);
      const score = scoreOfNames(form, entry, similarityOf, joins);
      if (score < cut) continue;
      const pairs = () => {
        first = start;
        return alignNames(form, entry, similarityOf, joins).pairs();
      };
      found(name, { score, pairs, shortRomanised: form.shortRomanised || entry.shortRomanised }, partition);
    }
    sums.clear();
  }

  /**
   * Sums per name, rare words first. Once the words that are left cannot reach the cut by themselves they make no new candidates, but
   * among names in which a letter may stand for a word. To the others they are added here when they are in few names, else by mayReach.
   */
  private gather(search: FormSearch): void {
    const { partition, form, near, least, left, sums } = search;
    const { mode } = partition;
    this.gatherJoins(search);
    const words = form.distinct.map(({ at, times, weight }) => ({
      weight: form.tokens[at]?.weight ?? 0,
      times,
      all: weight,
      near: near[at] as Neighbours,
    }));
    words.sort((a, b) => a.near.uses[mode] - b.near.uses[mode]);
    for (const { times, all } of words) {
      left.count += times;
      left.weight += all;
    }
    const { postingStarts, postings } = partition.columns;
    const { starts, names } = partition.abbreviated;
    let adding = 0;
    for (; adding < words.length && boundOfRest(form, left) >= least; adding++) {
      const word = words[adding] as (typeof words)[number];
      this.gatherWord(search, word, postingStarts, postings);
      left.count -= word.times;
      left.weight -= word.all;
    }
    const rest = words.slice(adding);
    for (const word of rest) this.gatherWord(search, word, starts, names);
    if (rest.reduce((sum, { near: { uses } }) => sum + uses[mode], 0) > sums.count * NAMES_PER_CANDIDATE) {
      search.rest = rest;
      return;
    }
    for (const word of rest) this.gatherKnown(search, word);
    left.count = 0;
    left.weight = 0;
  }

  /** Adds a word to the sums of names that have some already. Names with initials had theirs. */
  private gatherKnown(
    { partition: { mode, columns }, sums }: FormSearch,
    { weight, near: { ids, similarities, weights } }: SearchedWord,
  ): void {
    const { postingStarts, postings, initials } = columns;
    for (let nth = 0; nth < ids.length; nth++) {
      const id = ids[nth] as number;
      const own = weights[mode][nth] as number;
      const alike = (similarities[nth] as number) * Math.min(weight, own);
      const end = postingStarts[id + 1] as number;
      for (let place = postingStarts[id] as number; place < end; place++) {
        const name = postings[place] as number;
        if (sums.marks[name] !== 0 && initials[name] === 0) sums.add(name, alike, weight, own, WORD);
      }
    }
  }

  private gatherWord(
    { partition: { mode }, sums }: FormSearch,
    { weight, near: { ids, similarities, weights } }: SearchedWord,
    starts: Uint32Array,
    names: Uint32Array,
  ): void {
    const owns = weights[mode];
    for (let nth = 0; nth < ids.length; nth++) {
      const id = ids[nth] as number;
      const end = starts[id + 1] as number;
      let place = starts[id] as number;
      if (place === end) continue;
      const own = owns[nth] as number;
      const alike = (similarities[nth] as number) * Math.min(weight, own);
      for (; place < end; place++) sums.add(names[place] as number, alike, weight, own, WORD);
    }
  }

  private gatherJoins({ partition, form, sums }: FormSearch): void {
    for (const [at, word] of form.words.entries()) {
      const weight = form.tokens[at]?.weight ?? 0;
      const joined = (name: number) => sums.add(name, weight, weight, JOINED_HEAVIEST, ENTRY_JOINED);
      if (word && word.traits.fold !== 0) partition.joins.each(word.traits.fold, joined);
      if (word && word.traits.compound !== 0) partition.joins.each(word.traits.compound, joined);
    }
    const { words, wordKeys } = this.index.parts;
    const { postingStarts, postings } = partition.columns;
    for (const { key, compound, weight } of form.joins) {
      const joined = (id: number) => {
        const word = words[id] as TokenTraits;
        if (word.fold !== key && !(compound !== 0 && word.compound === compound)) return;
        const own = weightIn(partition.mode, word);
        const end = postingStarts[id + 1] as number;
        for (let place = postingStarts[id] as number; place < end; place++)
          sums.add(postings[place] as number, Math.min(weight, own), weight, own, QUERY_JOINED);
      };
      wordKeys.each(key, joined);
      if (compound !== 0) wordKeys.each(compound, joined);
    }
  }

  /** Whether comparing the name may reach the cut: first with the most that the rest may add, then with what it does add. */
  private mayReach({ partition, form, sums, least, rest, left }: FormSearch, name: number): boolean {
    if (rest.length === 0 || partition.columns.initials[name] !== 0) return sums.bound(partition, form, name) >= least;
    if (sums.bound(partition, form, name, left) < least) return false;
    const { tokens, tokenStarts, roles } = partition.columns;
    const end = tokenStarts[name + 1] as number;
    for (let at = tokenStarts[name] as number; at < end; at++) {
      const id = tokens[at] as number;
      if (roles[at] !== 0) continue;
      for (const { weight, near } of rest) {
        const similarity = near.byId.get(id);
        if (similarity === undefined) continue;
        const own = weightIn(partition.mode, this.index.parts.words[id] as TokenTraits);
        sums.add(name, similarity * Math.min(weight, own), weight, own, WORD);
      }
    }
    return sums.bound(partition, form, name) >= least;
  }

  /** A name in East Asian script is compared in that script if both sides have it, and letter by letter only if one has not. */
  private scriptsMeet(partition: NamePartition, form: PreparedForm, han: boolean, name: number): boolean {
    if (!han || form.script !== 'romanised') return true;
    return this.index.parts.han[partition.columns.entry[name] as number] === 0;
  }

  private nameAt({ mode, columns }: NamePartition, name: number): ComparedName {
    const known = this.names[mode][name];
    if (known) return known;
    const tokens = [];
    for (let at = columns.tokenStarts[name] as number; at < (columns.tokenStarts[name + 1] as number); at++) {
      const traits = this.index.parts.words[columns.tokens[at] as number] as TokenTraits;
      tokens.push(comparedToken(traits, ROLES[columns.roles[at] as number] ?? 'word', mode));
    }
    return (this.names[mode][name] = nameOf(mode, SCRIPTS[columns.script[name] as number] ?? 'plain', tokens));
  }

  /**
   * The same as `each` by comparing every name with all the means there are: slow, for tests of the search. As in `each`, a name
   * without a word ("S.A.S."), on either side, is compared with nothing: it is found by an equal one alone.
   */
  eachByForce(prepared: PreparedQuery, cut: number, found: FoundName): void {
    for (const mode of ['person', 'organisation'] as const) {
      const partition = this.index.parts[mode];
      for (const form of prepared.forms[mode])
        for (let name = 0; name < partition.size && !form.wordless; name++) {
          if (!this.scriptsMeet(partition, form, prepared.han, name)) continue;
          const entry = this.nameAt(partition, name);
          if (!hasWord(entry.tokens)) continue;
          const similarityOf = (q: number, e: number) =>
            similarity((form.words[q] as QueryWord).traits, (entry.tokens[e] as { traits: TokenTraits }).traits);
          const comparison = alignNames(form, entry, similarityOf, { query: form.joins, entry: joinsIn(entry) });
          if (comparison.score >= cut) found(name, comparison, partition);
        }
    }
  }
}

function joinsToTry(form: PreparedForm, entry: ComparedName, marks: number): JoinsToTry {
  if ((marks & (QUERY_JOINED | ENTRY_JOINED)) === 0) return NO_JOINS;
  return {
    query: (marks & QUERY_JOINED) !== 0 ? form.joins : null,
    entry: (marks & ENTRY_JOINED) !== 0 ? joinsIn(entry) : null,
  };
}

const NO_JOINS: JoinsToTry = { query: null, entry: null };

const joinsIn = ({ tokens }: ComparedName) => joinsOf(tokens.map(({ traits, role }) => ({ text: traits.text, role })));
