import type { ListIndex } from '../index/list-index.ts';
import { type NamePartition, ROLES, SCRIPTS } from '../index/name-partition.ts';
import type { NameMode } from '../normalise/tokenise.ts';
import { ABBREVIATED, alignNames, type NameComparison } from './align-names.ts';
import {
  type ComparedName,
  comparedToken,
  INITIAL_WEIGHT,
  joinsOf,
  MINOR_WEIGHT,
  nameOf,
  totalWeight,
} from './compared-name.ts';
import { upperBound } from './name-score.ts';
import { type Neighbours, NeighbourCache } from './neighbours.ts';
import type { PreparedForm, PreparedQuery, QueryWord } from './prepared-query.ts';
import { similarity } from './token-similarity.ts';
import type { TokenTraits } from './token-traits.ts';

/** Weight of the heaviest word, and of the heaviest neighbours that are one word elsewhere: two of them and a particle. */
const HEAVIEST = 1;
const JOINED_HEAVIEST = 2 * HEAVIEST + MINOR_WEIGHT;
/** Sums of single-precision numbers, and of weights in another order. */
const SLACK = 1e-3;
/** Per name in the sums: likeness, weight of the query's words, weight of the name's words. */
const FIELDS = 3;
/** Why a name is looked at: a word; two neighbours of the query that are one of its words; two of its own that are one of the query's. */
const TOUCHED = 1;
const QUERY_JOINED = 2;
const ENTRY_JOINED = 4;

export type FoundName = (name: number, comparison: NameComparison, partition: NamePartition) => void;

/**
 * Names of one list that are like a name. Looks up each word's neighbours, sums per name what they could come to, and compares only
 * the names whose upper bound reaches the cut: what is found is what comparing every name would find (name-search.spec.ts).
 */
export class NameSearch {
  private readonly neighbours: NeighbourCache;
  private readonly scratch: Record<NameMode, Scratch>;

  /** Names that were compared once. */
  private readonly names: Record<NameMode, (ComparedName | undefined)[]>;

  constructor(private readonly index: ListIndex) {
    const { person, organisation } = index.parts;
    this.names = { person: new Array<undefined>(person.size), organisation: new Array<undefined>(organisation.size) };
    this.neighbours = new NeighbourCache(index);
    this.scratch = {
      person: new Scratch(index.parts.person.size),
      organisation: new Scratch(index.parts.organisation.size),
    };
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
    const scratch = this.scratch[partition.mode];
    this.gather(partition, form, near, scratch, cut);
    for (let nth = 0; nth < scratch.count; nth++) {
      const name = scratch.touched[nth] as number;
      const marks = scratch.marks[name] as number;
      if (scratch.bound(partition, form, name) >= cut - SLACK && this.scriptsMeet(partition, form, han, name)) {
        const comparison = this.compare(partition, form, near, name, marks);
        if (comparison.score >= cut) found(name, comparison, partition);
      }
    }
    scratch.clear();
  }

  /** Sums per name. Rare words first; once the words that are left cannot reach the cut, they make no new candidates. */
  private gather(
    partition: NamePartition,
    form: PreparedForm,
    near: (Neighbours | null)[],
    scratch: Scratch,
    cut: number,
  ): void {
    this.gatherJoins(partition, form, scratch);
    const order = [...distinctWords(form)].map(([at, times]) => ({
      at,
      weight: times * (form.tokens[at]?.weight ?? 0),
      count: this.postingCount(partition, near[at] as Neighbours),
    }));
    order.sort((a, b) => a.count - b.count);
    let left = order.reduce((sum, { weight }) => sum + weight, 0) + form.minor + INITIAL_WEIGHT * form.abbreviations;
    for (const { at, weight } of order) {
      const adding = upperBound(partition.mode, left, form.total - left, 0) >= cut - SLACK;
      this.gatherWord(partition, form, at, near[at] as Neighbours, scratch, adding);
      left -= weight;
    }
  }

  private gatherWord(
    partition: NamePartition,
    form: PreparedForm,
    at: number,
    near: Neighbours,
    scratch: Scratch,
    adding: boolean,
  ): void {
    const weight = form.tokens[at]?.weight ?? 0;
    const { postingStarts, postings, initials } = partition.columns;
    for (const [nth, id] of near.ids.entries()) {
      const own = weightIn(partition.mode, this.index.parts.words[id] as TokenTraits);
      const alike = (near.similarities[nth] as number) * Math.min(weight, own);
      const end = postingStarts[id + 1] as number;
      for (let place = postingStarts[id] as number; place < end; place++) {
        const name = postings[place] as number;
        if (adding || scratch.marks[name] !== 0 || initials[name] !== 0) scratch.add(name, alike, weight, own, TOUCHED);
      }
    }
  }

  private gatherJoins(partition: NamePartition, form: PreparedForm, scratch: Scratch): void {
    for (const [at, word] of form.words.entries()) {
      const weight = form.tokens[at]?.weight ?? 0;
      const joined = (name: number) => scratch.add(name, weight, weight, JOINED_HEAVIEST, ENTRY_JOINED);
      for (const key of [word?.traits.fold, word?.traits.compound]) if (key) partition.joins.each(key, joined);
    }
    const { postingStarts, postings } = partition.columns;
    for (const { at, span, key, compound } of form.joins) {
      const weight = totalWeight(form.tokens.slice(at, at + span));
      const joined = (id: number) => {
        const word = this.index.parts.words[id] as TokenTraits;
        if (word.fold !== key && !(compound !== 0 && word.compound === compound)) return;
        const own = weightIn(partition.mode, word);
        const end = postingStarts[id + 1] as number;
        for (let place = postingStarts[id] as number; place < end; place++)
          scratch.add(postings[place] as number, Math.min(weight, own), weight, own, QUERY_JOINED);
      };
      this.index.parts.wordKeys.each(key, joined);
      if (compound !== 0) this.index.parts.wordKeys.each(compound, joined);
    }
  }

  private postingCount(partition: NamePartition, near: Neighbours): number {
    return near.ids.reduce((sum, id) => sum + partition.postingCount(id), 0);
  }

  /** A name in East Asian script is compared in that script if both sides have it, and letter by letter only if one has not. */
  private scriptsMeet(partition: NamePartition, form: PreparedForm, han: boolean, name: number): boolean {
    if (!han || form.script !== 'romanised') return true;
    return this.index.parts.han[partition.columns.entry[name] as number] === 0;
  }

  private compare(
    partition: NamePartition,
    form: PreparedForm,
    near: (Neighbours | null)[],
    name: number,
    marks: number,
  ): NameComparison {
    const { tokens, tokenStarts } = partition.columns;
    const first = tokenStarts[name] as number;
    const similarityOf = (q: number, e: number) => near[q]?.byId.get(tokens[first + e] as number) ?? 0;
    const entry = this.nameAt(partition, name);
    return alignNames(form, entry, similarityOf, {
      query: (marks & QUERY_JOINED) !== 0 ? form.joins : null,
      entry: (marks & ENTRY_JOINED) !== 0 ? joinsIn(entry) : null,
    });
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

  /** The same as `each` by comparing every name with all the means there are: slow, for tests of the search. */
  eachByForce(prepared: PreparedQuery, cut: number, found: FoundName): void {
    for (const mode of ['person', 'organisation'] as const) {
      const partition = this.index.parts[mode];
      for (const form of prepared.forms[mode])
        for (let name = 0; name < partition.size && !form.wordless; name++) {
          if (!this.scriptsMeet(partition, form, prepared.han, name)) continue;
          const entry = this.nameAt(partition, name);
          const similarityOf = (q: number, e: number) =>
            similarity((form.words[q] as QueryWord).traits, (entry.tokens[e] as { traits: TokenTraits }).traits);
          const comparison = alignNames(form, entry, similarityOf, { query: form.joins, entry: joinsIn(entry) });
          if (comparison.score >= cut) found(name, comparison, partition);
        }
    }
  }
}

const weightIn = (mode: NameMode, word: TokenTraits) =>
  mode === 'person' ? word.personWeight : word.organisationWeight;

/**
 * The first place of each word, and how often it stands there. A word is summed once: a name that has it as often is in the postings
 * as often.
 */
function distinctWords({ words }: PreparedForm): Map<number, number> {
  const first = new Map<string, number>();
  const times = new Map<number, number>();
  for (const [at, word] of words.entries()) {
    if (!word) continue;
    const place = first.get(word.traits.text) ?? at;
    first.set(word.traits.text, place);
    times.set(place, (times.get(place) ?? 0) + 1);
  }
  return times;
}

const joinsIn = ({ tokens }: ComparedName) => joinsOf(tokens.map(({ traits, role }) => ({ text: traits.text, role })));

/** Sums per name of one partition, used again by the next search. */
class Scratch {
  readonly sums: Float32Array;
  readonly marks: Uint8Array;
  readonly touched: Uint32Array;
  count = 0;

  constructor(names: number) {
    this.sums = new Float32Array(names * FIELDS);
    this.marks = new Uint8Array(names);
    this.touched = new Uint32Array(names);
  }

  add(name: number, alike: number, weight: number, own: number, mark: number): void {
    if (this.marks[name] === 0) this.touched[this.count++] = name;
    this.marks[name] = (this.marks[name] as number) | mark;
    const at = name * FIELDS;
    this.sums[at] = (this.sums[at] as number) + alike;
    this.sums[at + 1] = (this.sums[at + 1] as number) + weight;
    this.sums[at + 2] = (this.sums[at + 2] as number) + own;
  }

  /** The most that comparing the name can give. Initials may stand for any word of the other side, which leaves a share of it. */
  bound({ mode, columns }: NamePartition, form: PreparedForm, name: number): number {
    const at = name * FIELDS;
    const initials = columns.initials[name] as number;
    const either = INITIAL_WEIGHT * (form.abbreviations + initials) + form.minor;
    const alike = (this.sums[at] as number) + either;
    const unmatched = form.total - (this.sums[at + 1] as number) - either - ABBREVIATED * HEAVIEST * initials;
    const unmatchedOther =
      (columns.total[name] as number) -
      (this.sums[at + 2] as number) -
      either -
      ABBREVIATED * HEAVIEST * form.abbreviations;
    return upperBound(mode, alike, unmatched, unmatchedOther);
  }

  clear(): void {
    for (let nth = 0; nth < this.count; nth++) {
      const name = this.touched[nth] as number;
      this.marks[name] = 0;
      this.sums.fill(0, name * FIELDS, name * FIELDS + FIELDS);
    }
    this.count = 0;
  }
}
